//! Man pages and completions are made from the command line's one definition and kept in the package.
//!
//! `PROVENDER_UPDATE=1 cargo test --test generated` writes them; without it the tests compare. What no
//! generator can know (that README and manual speak of what there is, and of nothing else) is checked too.

#[cfg(test)]
mod generated {
    mod committed;
    mod manual;
    mod page;
    mod readme;

    use clap::{Command, CommandFactory};
    use clap_complete::Shell;
    use provender::commands::Cli;

    use committed::Directory;

    /// The definition with everything that clap adds to it.
    fn command() -> Command {
        let mut command = Cli::command();
        command.build();
        command
    }

    /// The commands that users see, `help` left out.
    fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
        let is_shown = |verb: &&Command| !verb.is_hide_set() && verb.get_name() != "help";
        command.get_subcommands().filter(is_shown)
    }

    #[test]
    fn man_pages_are_current() {
        let command = command();
        let mut pages = Directory::of("man");
        pages.add("provender.1", page::of(&command, None));
        for verb in verbs(&command) {
            let name = format!("provender-{}.1", verb.get_name());
            pages.add(&name, page::of(verb, Some(verb.get_name())));
            for part in verbs(verb) {
                let full = format!("{}-{}", verb.get_name(), part.get_name());
                pages.add(&format!("provender-{full}.1"), page::of(part, Some(&full)));
            }
        }
        pages.write_or_compare();
    }

    #[test]
    fn completions_are_current() {
        let mut scripts = Directory::of("completions");
        for (shell, name) in [
            (Shell::Bash, "provender.bash"),
            (Shell::Elvish, "provender.elv"),
            (Shell::Fish, "provender.fish"),
            (Shell::PowerShell, "_provender.ps1"),
            (Shell::Zsh, "_provender"),
        ] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "provender", &mut script);
            scripts.add(name, String::from_utf8(script).unwrap());
        }
        scripts.write_or_compare();
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
