
use builtin;
use str;

set edit:completion:arg-completer[provender] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'provender'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'provender'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand install 'Install the providers of a root module, or single providers into a local mirror directory'
            cand mirror 'Fill or update a mirror of provider packages'
            cand versions 'List the versions that the registry offers'
            cand explain 'Tell which source would serve a provider, and why'
            cand cache 'Look at the package cache, check it, delete from it'
            cand login 'Log in to a host and keep the token where `terraform` and `tofu` find it'
            cand logout 'Forget the token of a host'
            cand auth 'Look at credentials, print a token for scripts, install the credentials helper'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;install'= {
            cand --dir 'Target directory (with addresses) [default: the implied local mirror directory]'
            cand --platform 'Platform such as `linux_amd64`; repeatable with addresses [default: this machine''s]'
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --upgrade 'Newest versions the constraints allow, instead of the locked ones'
            cand --locked 'Fail (exit 11) if an address or version would change, or no locked hash fits'
            cand --recursive 'Every root module in `--chdir` and below; each package is fetched once'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;mirror'= {
            cand --to 'The mirror''s directory; made if it does not exist'
            cand --root 'Take the requirements of the root module in DIR, versions from its lock file; repeatable'
            cand --lock 'Take the exact selections of a lock file; repeatable'
            cand --platform 'Platform such as `linux_amd64`, or `all` that the registry lists; repeatable [default: this machine''s]'
            cand --latest 'The N newest matching versions of each address [default: 1]'
            cand --from 'Take packages from another mirror, a directory or a network mirror, instead of their registries'
            cand --missing-platform 'What to do when a version lacks a wanted platform'
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --all-versions 'Every matching version'
            cand --include-prereleases 'Let ranges match prereleases'
            cand --require-signature 'Refuse packages that only carry checksums'
            cand --check 'Prove the bytes of what is already there, too'
            cand --dry-run 'Print the plan and change nothing'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;versions'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;explain'= {
            cand --platform 'Platform such as `linux_amd64` [default: this machine''s]'
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;cache'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand info 'List what the package cache holds, where it is and how large'
            cand verify 'Compare all bytes of the package cache with what is recorded'
            cand gc 'Delete packages from the cache'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;cache;info'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;cache;verify'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;cache;gc'= {
            cand --max-size 'Delete the least recently used until archives and files take at most SIZE, such as `5GiB`'
            cand --unused-for 'Delete what was not used for DAYS days'
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --dry-run 'Tell what would be deleted and change nothing'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;cache;help'= {
            cand info 'List what the package cache holds, where it is and how large'
            cand verify 'Compare all bytes of the package cache with what is recorded'
            cand gc 'Delete packages from the cache'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;cache;help;info'= {
        }
        &'provender;cache;help;verify'= {
        }
        &'provender;cache;help;gc'= {
        }
        &'provender;cache;help;help'= {
        }
        &'provender;login'= {
            cand --timeout 'How long to wait for the browser [default: 300]'
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --no-browser 'Print the address only and start no browser'
            cand --token-stdin 'Read a token from the first line of standard input'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;logout'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;auth'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand status 'List for each host which source of credentials wins, never the token'
            cand token 'Print the token for a host, for scripts'
            cand install-helper 'Make this program the credentials helper of the tools'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;auth;status'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;auth;token'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;auth;install-helper'= {
            cand -C 'Act as if started in DIR (the root module)'
            cand --chdir 'Act as if started in DIR (the root module)'
            cand --tool 'For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)'
            cand -j 'Packages in flight at once'
            cand --jobs 'Packages in flight at once'
            cand --cache-dir 'Directory of the package cache [default: `provender` in the user''s cache directory] (or `PROVENDER_CACHE_DIR`)'
            cand --ca-file 'Trust these CA certificates as well as the system''s; repeatable'
            cand --client-cert 'Show this certificate to servers that ask for one; needs `--client-key`'
            cand --client-key 'The private key of `--client-cert`, not encrypted'
            cand --color 'When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)'
            cand --offline 'No network at all: only lock file, package cache, what is installed, mirrors on disk'
            cand --no-cache 'Neither read nor fill the package cache'
            cand -q 'Results and errors only'
            cand --quiet 'Results and errors only'
            cand -v 'Decisions and requests; twice: headers, never secrets'
            cand --verbose 'Decisions and requests; twice: headers, never secrets'
            cand --json 'The result as one JSON document on stdout'
            cand --no-progress 'No progress bars, even on a terminal'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'provender;auth;help'= {
            cand status 'List for each host which source of credentials wins, never the token'
            cand token 'Print the token for a host, for scripts'
            cand install-helper 'Make this program the credentials helper of the tools'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;auth;help;status'= {
        }
        &'provender;auth;help;token'= {
        }
        &'provender;auth;help;install-helper'= {
        }
        &'provender;auth;help;help'= {
        }
        &'provender;help'= {
            cand install 'Install the providers of a root module, or single providers into a local mirror directory'
            cand mirror 'Fill or update a mirror of provider packages'
            cand versions 'List the versions that the registry offers'
            cand explain 'Tell which source would serve a provider, and why'
            cand cache 'Look at the package cache, check it, delete from it'
            cand login 'Log in to a host and keep the token where `terraform` and `tofu` find it'
            cand logout 'Forget the token of a host'
            cand auth 'Look at credentials, print a token for scripts, install the credentials helper'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'provender;help;install'= {
        }
        &'provender;help;mirror'= {
        }
        &'provender;help;versions'= {
        }
        &'provender;help;explain'= {
        }
        &'provender;help;cache'= {
            cand info 'List what the package cache holds, where it is and how large'
            cand verify 'Compare all bytes of the package cache with what is recorded'
            cand gc 'Delete packages from the cache'
        }
        &'provender;help;cache;info'= {
        }
        &'provender;help;cache;verify'= {
        }
        &'provender;help;cache;gc'= {
        }
        &'provender;help;login'= {
        }
        &'provender;help;logout'= {
        }
        &'provender;help;auth'= {
            cand status 'List for each host which source of credentials wins, never the token'
            cand token 'Print the token for a host, for scripts'
            cand install-helper 'Make this program the credentials helper of the tools'
        }
        &'provender;help;auth;status'= {
        }
        &'provender;help;auth;token'= {
        }
        &'provender;help;auth;install-helper'= {
        }
        &'provender;help;help'= {
        }
    ]
    $completions[$command]
}
