extension SourceSamples {
    /// Style sheets, settings and pages.
    static let pages = #"""
        @@ text/css
        body{margin:0;font-family:sans-serif}.note:hover{color:#333;padding:2px 4px}#top>a[href]{display:block}
        @@ application/toml
        [server]
        name = "first"
        ports = [80, 443]

        [server.log]
        level = "debug"
        size = 1024
        @@ application/x-yaml
        name: nightly
        on:
          schedule:
            - cron: "0 3 * * *"
        jobs:
          build:
            runs-on: linux
            steps:
              - run: make
        @@ text/markdown
        # Sourdough

        A loaf for a cold day; see [the other one](rye.md).

        ## Ingredients

        - flour
        - water

        ```
        oven 230
        ```
        @@ text/x-rst
        Bees
        ====

        Where they live and what they need.

        .. note:: Not every bee stings.

        Hives
        ~~~~~

        A hive is opened like this::

            lift the lid

        """#
}
