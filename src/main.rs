//! The `postrider` command.

fn main() -> std::process::ExitCode {
    postrider::cli::main()
}
