#include "CInboxLinux.h"
