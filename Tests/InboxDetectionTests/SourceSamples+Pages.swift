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

        @@ text/x-coq
        Require Import Arith.

        Lemma zero_left n : 0 + n = n.
        Proof.
          intros. simpl. reflexivity.
        Qed.

        Definition double (n : nat) := n + n.
        @@ text/x-agda
        module Bool where

        open import Level

        data Bool : Set where
          true false : Bool

        not : Bool -> Bool
        not true = false
        not false = true
        @@ text/x-nim
        import std/strutils

        type
          Hive = object
            bees: seq[string]

        proc count(hive: Hive): int =
          result = hive.bees.len

        proc add*(hive: var Hive, bee: string) =
          hive.bees.add bee
        @@ text/x-crystal
        require "./bees"

        class Hive
          getter bees : Array(String)

          def initialize(@bees : Array(String))
          end

          def count(extra : Int32) : Int32
            @bees.size + extra
          end
        end

        """#
}
