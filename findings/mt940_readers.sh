#!/usr/bin/env bash
# Eight readers of account statements (SWIFT MT940), four valid statements: money that went out came in, and bookings are a year off. One reads all right.
# A credit taken back (RC) is money out. mt-940 5.1.1 adds it; camt053-loader-mt940 0.0.23 and mt940-js 1.0.0 let both kinds of reversal go the way of what
# they take back. So the entries miss the closing balance that the statement itself gives. Of two converters to camt.053, this loader makes CRDT of the line
# of which x940 0.1.1 makes DBIT, both with `RvslInd`. mt-940 has an option for it, `reversal_sign`, which is off; mt940-js keeps no mark of a reversal.
# The day of booking has no year. mt940 0.8.1 and the three of npm take that of the value date: what is valued on 31 December and booked on 2 January was
# booked a year before. x940 finds the year then, and not for what is valued on 2 January and booked on 31 December.
# A slash in the customer's reference ends it in the three of npm, and takes the bank's reference with it; x940 refuses the statement, and one of dinars.
# mt940-js keeps a bank's reference only where it has 16 characters. mt940js 1.3.5 rounds 0.005 dinars to none, and its check of the balance agrees;
# @centrapay/swift-parser 1.0.1 rounds as well, and refuses the statement when it is to check it, because what it has rounded does not add up.
# Expected: the closing balance is the opening one and all entries. SWIFT, MT 940, field 61: RC is a debit entry, RD a credit entry; a reference may have a
# slash inside; an amount has the decimals of its currency, three for dinars. ISO 20022, `RvslInd`: with CRDT, what is taken back was a debit. The year is
# the one that puts the two days next to each other. bankfile 0.2.0 reads all four so, though it asks mt-940: it takes the sign from the mark itself.
# For who watches payments: an inflow that never was, a pair that does not cancel out, a booking outside every window, payments that no reference joins.
# Needs Python 3.11 or later, Node 20 or later and npm. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check mt-940==5.1.1 bankfile==0.2.0 camt053-loader-mt940==0.0.23 camt053==0.0.23 x940==0.1.1
env/bin/pip install --quiet --disable-pip-version-check --no-deps --target other mt940==0.8.1  # its module has the name of that of mt-940
npm install --silent --no-audit --no-fund --no-save mt940-js@1.0.0 tslib@2.8.1 mt940js@1.3.5 @centrapay/swift-parser@1.0.1 moment@2.30.1
cat > statements.py << 'PYTHON'
import json

# The entries as they are written, and what they say: the amount, the day of booking, the customer's reference and the bank's.
GIVEN = {
    "reversals": ("EUR", "1000,00", "950,00", [
        ("2601020102C500,00NTRFA1//BANK1", ["500.00", "2026-01-02", "A1", "BANK1"]),
        ("2601020102RC500,00NTRFA1//BANK2", ["-500.00", "2026-01-02", "A1", "BANK2"]),
        ("2601020102D200,00NTRFA2//BANK3", ["-200.00", "2026-01-02", "A2", "BANK3"]),
        ("2601020102RD200,00NTRFA2//BANK4", ["200.00", "2026-01-02", "A2", "BANK4"]),
        ("2601020102D50,00NTRFA3//BANK5", ["-50.00", "2026-01-02", "A3", "BANK5"]),
    ]),
    "new year": ("EUR", "1000,00", "900,00", [
        ("2512310102D30,00NTRFA1//BANK1", ["-30.00", "2026-01-02", "A1", "BANK1"]),
        ("2601021231D70,00NTRFA2//BANK2", ["-70.00", "2025-12-31", "A2", "BANK2"]),
    ]),
    "references": ("EUR", "1000,00", "1060,00", [
        ("2601020102C20,00NTRFINV/2026//BANK1", ["20.00", "2026-01-02", "INV/2026", "BANK1"]),
        ("2601020102C40,00NTRFINV2026//BANK567890123456", ["40.00", "2026-01-02", "INV2026", "BANK567890123456"]),
    ]),
    "dinars": ("KWD", "1,000", "2,229", [
        ("2601020102C1,234NTRFA1//BANK1", ["1.234", "2026-01-02", "A1", "BANK1"]),
        ("2601020102D0,005NTRFA2//BANK2", ["-0.005", "2026-01-02", "A2", "BANK2"]),
    ]),
}
statements = {}
for name, (currency, opening, closing, entries) in GIVEN.items():
    lines = [":20:STATEMENT", ":25:AAAADEFF/12345678", ":28C:1/1", f":60F:C251230{currency}{opening}"]
    for written, _ in entries:
        lines += [f":61:{written}", ":86:PAYMENT"]
    text = "\r\n".join([*lines, f":62F:C260102{currency}{closing}", ""])
    statements[name] = {"text": text, "opening": opening, "closing": closing, "entries": [read for _, read in entries]}
json.dump(statements, open("statements.json", "w"))
PYTHON
cat > readers.py << 'PYTHON'
import json
import sys
from xml.etree import ElementTree

def with_mt_940(text):
    return [[e.data["amount"].amount, e.data["entry_date"], e.data["customer_reference"], e.data["bank_reference"]] for e in mt940.parse(text)]

def with_bankfile(text):
    return [[e.amount, e.booking_date, e.reference, e.bank_reference] for e in read_mt940(text.encode()).transactions]

def with_loader(text):
    sign = {"CRDT": "", "DBIT": "-"}
    return [[sign[e.credit_debit_indicator] + e.amount, e.booking_date, e.reference, e.account_servicer_ref]
            for e in parse_mt940(text).statements[0].entries]

def with_x940(text):
    return [[e.amount, e.entry_date, e.customer_reference, e.bank_reference] for e in x940.MT940(text).transactions]

def with_mt940(text):
    open("statement.sta", "w", newline="").write(text)
    return [[e.amount, e.booking, e.reference, e.institution_reference] for e in mt940.MT940("statement.sta").statements[0].transactions]

if "other" in sys.argv:
    sys.path.insert(0, "other")
    import mt940
    readers = {"mt940": with_mt940}
else:
    import mt940
    import x940
    from bankfile.mt940_adapter import read_mt940
    from camt053_loader_mt940 import parse_mt940
    readers = {"bankfile": with_bankfile, "mt-940": with_mt_940, "camt053-loader-mt940": with_loader, "x940": with_x940}
found = {}
for reader, read in readers.items():
    found[reader] = {}
    for name, statement in json.load(open("statements.json")).items():
        try:
            found[reader][name] = [[str(value) for value in entry] for entry in read(statement["text"])]
        except ValueError:
            found[reader][name] = "refused"
json.dump(found, open(f"found-{len(sys.argv)}.json", "w"))
if "other" not in sys.argv:
    text = json.load(open("statements.json"))["reversals"]["text"]
    entries = ElementTree.fromstring(x940.MT940(text).to_camt053().encode()).iterfind(".//{*}Ntry")
    camt = {
        "camt053-loader-mt940": [[e.credit_debit_indicator, e.reversal_indicator] for e in parse_mt940(text).statements[0].entries],
        "x940": [[e.findtext("{*}CdtDbtInd"), e.findtext("{*}RvslInd") == "true"] for e in entries],
    }
    json.dump(camt, open("camt.json", "w"))
PYTHON
cat > readers.cjs << 'JAVASCRIPT'
const { readFileSync, writeFileSync } = require("fs");
const { Parser } = require("mt940js");
const day = (moment) => moment.toISOString().slice(0, 10);
const entry = (e) => [String(e.amount), day(e.entryDate), e.reference, e.bankReference];
const readers = {
  "mt940js": (text) => new Parser().parse(text)[0].transactions.map(entry),
  "@centrapay/swift-parser": (text) => require("@centrapay/swift-parser").parse({ type: "mt940", data: text, validate: true })[0].transactions.map(entry),
  "mt940-js": async (text) => (await require("mt940-js").read(Buffer.from(text)))[0].transactions.map((e) =>
    [String(e.isCredit ? e.amount : -e.amount), e.entryDate, e.customerReference, e.bankReference]),
};
(async () => {
  const found = {};
  for (const [reader, read] of Object.entries(readers)) {
    found[reader] = {};
    for (const [name, { text }] of Object.entries(JSON.parse(readFileSync("statements.json")))) {
      try {
        found[reader][name] = await read(text);
      } catch {
        found[reader][name] = "refused";
      }
    }
  }
  writeFileSync("found-node.json", JSON.stringify(found));
})();
JAVASCRIPT
cat > compare.py << 'PYTHON'
import importlib.metadata
import json
import sys
from decimal import Decimal

# By reader and statement: what differs (the number of the entry, what of it, and how it is read), or that the statement is refused.
YEARS = [[1, "booked", "2025-01-02"], [2, "booked", "2026-12-31"]]
CUT = [[1, "customer", "INV"], [1, "bank", ""]]
KNOWN = {
    "mt-940": {"reversals": [[2, "amount", "500.00"]]},
    "camt053-loader-mt940": {"reversals": [[2, "amount", "500.00"], [4, "amount", "-200.00"]]},
    "x940": {"new year": [[2, "booked", "2026-12-31"]], "references": "refused", "dinars": "refused"},
    "mt940": {"new year": YEARS},
    "mt940js": {"new year": YEARS, "references": CUT, "dinars": [[1, "amount", "1.23"], [2, "amount", "0"]]},
    "@centrapay/swift-parser": {"new year": YEARS, "references": CUT, "dinars": "refused"},
    "mt940-js": {
        "reversals": [[1, "bank", ""], [2, "amount", "500"], [2, "bank", ""], [3, "bank", ""], [4, "amount", "-200"], [4, "bank", ""], [5, "bank", ""]],
        "new year": [[1, "booked", "2025-01-02"], [1, "bank", ""], [2, "booked", "2026-12-31"], [2, "bank", ""]],
        "references": CUT,
        "dinars": [[1, "bank", ""], [2, "bank", ""]],
    },
}
KNOWN_CAMT = {
    "camt053-loader-mt940": [["CRDT", False], ["CRDT", True], ["DBIT", False], ["DBIT", True], ["DBIT", False]],
    "x940": [["CRDT", False], ["DBIT", True], ["DBIT", False], ["CRDT", True], ["DBIT", False]],
}
WHAT = ["amount", "booked", "customer", "bank"]
statements = json.load(open("statements.json"))
found = {}
for file in ("found-1.json", "found-2.json", "found-node.json"):
    found.update(json.load(open(file)))
for name in ("bankfile", "mt-940", "camt053-loader-mt940", "x940"):
    print(name, importlib.metadata.version(name))
print("mt940 0.8.1")
for name in ("mt940js", "@centrapay/swift-parser", "mt940-js"):
    print(name, json.load(open(f"node_modules/{name}/package.json"))["version"])
differs = {}
for name, statement in statements.items():
    opening, closing = (Decimal(statement[end].replace(",", ".")) for end in ("opening", "closing"))
    print(f"\n{name}: from {opening} to {closing}")
    for number, expected in enumerate(statement["entries"], 1):
        print(f"    expected: {number}. {', '.join(expected)}")
    for reader, read in found.items():
        if read[name] == "refused":
            differs.setdefault(reader, {})[name] = "refused"
            print(f"    {reader}: refused")
            continue
        wrong = []
        for number, (expected, entry) in enumerate(zip(statement["entries"], read[name], strict=True), 1):
            for what, right, value in zip(WHAT, expected, entry):
                if (Decimal(right) != Decimal(value)) if what == "amount" else right != value:
                    wrong.append([number, what, value])
        if wrong:
            differs.setdefault(reader, {})[name] = wrong
        total = opening + sum(Decimal(entry[0]) for entry in read[name])
        said = "; ".join(f"{number}. {what} {value or 'none'}" for number, what, value in wrong)
        print(f"    {reader}: {said or 'as expected'}{'' if total == closing else f'; to {total}'}")
camt = json.load(open("camt.json"))
print("\nreversals, in camt.053 (CdtDbtInd and RvslInd); expected is that of x940:")
for converter, entries in camt.items():
    print(f"    {converter}: {', '.join(indicator + (' reversal' if reversal else '') for indicator, reversal in entries)}")
changed = False
for comes, known in ((differs, KNOWN), (camt, KNOWN_CAMT)):
    for reader in {**known, **comes}:
        if comes.get(reader) != known.get(reader):
            print(f"CHANGED: {reader}: it was {known.get(reader)}, and is {comes.get(reader)}")
            changed = True
sys.exit(changed)
PYTHON
env/bin/python statements.py
env/bin/python readers.py
env/bin/python readers.py other
node readers.cjs
env/bin/python compare.py
