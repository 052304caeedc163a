#ifndef C_INBOX_LINUX_H
#define C_INBOX_LINUX_H
#endif
