"""What the findings have in common: installing pinned public packages away from the project, and saying whether something is still as it was seen."""

import os
import pathlib
import subprocess
import sys
import tempfile

# What is installed is kept here for the next run; it may be deleted at any time.
FOLDER = pathlib.Path(os.environ.get("FINDINGS_FOLDER", pathlib.Path(tempfile.gettempdir()) / "findings"))


def run(command, **options):
    """Runs a program; what it prints. One that fails ends the finding."""
    done = subprocess.run(command, text=True, capture_output=True, **options)
    if done.returncode != 0:
        print(done.stdout[-2000:], done.stderr[-4000:], sep="\n")
        sys.exit(f"{command[0]} failed: nothing was found out")
    return done.stdout


def python(packages, code):
    """Runs Python code beside packages such as `phonenumbers==9.0.1`; what it prints."""
    home = FOLDER / ("python-" + "-".join(packages).replace("==", "-"))
    program = home / "bin" / "python"
    if not (home / "complete").exists():
        run([sys.executable, "-m", "venv", "--clear", str(home)])
        run([str(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
        (home / "complete").touch()
    return run([str(program), "-c", code])


def java(name, dependency, source):
    """Runs a Java program of one file beside a dependency, `group:artifact:version`, and all that it needs; what it prints. Needs a JDK 17 and Maven."""
    home = FOLDER / ("java-" + dependency.replace(":", "-"))
    group, artifact, version = dependency.split(":")
    if not (home / "complete").exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / "pom.xml").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>findings</groupId><artifactId>findings</artifactId><version>1</version>"
            f"<dependencies><dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency></dependencies></project>"
        )
        run(["mvn", "-q", "-B", "dependency:copy-dependencies", "-f", str(home / "pom.xml"), f"-DoutputDirectory={home}/lib"])
        (home / "complete").touch()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / f"{name}.java"
        program.write_text(source)
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "java.io", "sun.nio.ch")]
        return run(["java", "-Xmx512m", *opened, "-cp", f"{home}/lib/*", str(program), str(pathlib.Path(folder) / "data")])


def rust(name, dependencies, source):
    """Runs a Rust program beside crates; what it prints."""
    home = FOLDER / f"rust-{name}"
    (home / "src").mkdir(parents=True, exist_ok=True)
    lines = "\n".join(dependencies)
    (home / "Cargo.toml").write_text(f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n{lines}\n\n[workspace]\n')
    (home / "src" / "main.rs").write_text(source)
    return run(["cargo", "run", "--quiet"], cwd=home, env={**os.environ, "CARGO_TARGET_DIR": str(FOLDER / "rust-target")})


def neo4j(statements):
    """Runs statements on a fresh Neo4j, one after the other; the rows of each as text."""
    listed = ",\n".join('"""\n' + statement + '"""' for statement in statements)
    source = NEO4J.replace("STATEMENTS", listed)
    answers = java("Answers", NEO4J_VERSION, source).split("----\n")
    return [answer.strip() for answer in answers[1:]]


NEO4J_VERSION = "org.neo4j:neo4j:5.26.24"
NEO4J = """
import java.nio.file.Path;
import java.util.*;
import org.neo4j.dbms.api.*;

public class Answers {
  public static void main(String[] arguments) {
    DatabaseManagementService server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    var database = server.database("neo4j");
    for (String statement : new String[] {STATEMENTS}) {
      System.out.println("----");
      String answer = database.executeTransactionally(statement, Map.of(), result -> {
        List<String> rows = new ArrayList<>();
        while (result.hasNext()) {
          rows.add(new TreeMap<>(result.next()).toString());
        }
        return String.join("\\n", rows);
      });
      System.out.println(answer);
    }
    server.shutdown();
    System.exit(0);
  }
}
"""


def seen(what, version, cases):
    """Says what was seen: (what was asked, the answer, the answer as it was when this was written, what one expects). Fails where it has changed."""
    print(f"{what}\n  {version}")
    changed = 0
    for asked, answer, known, expected in cases:
        print(f"\n  {asked}\n    comes:    {answer}\n    expected: {expected}")
        if answer != known:
            changed += 1
            print(f"    CHANGED:  it was {known}")
    print()
    sys.exit(f"{changed} of {len(cases)} answers have changed" if changed else 0)
