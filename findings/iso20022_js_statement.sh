#!/usr/bin/env bash
# iso20022.js 0.0.15 reads a statement (camt.053) otherwise than it is written, without an error: no entry is a reversal, and two accounts are one.
# It hands the XML to fast-xml-parser 4.5.7, which makes a boolean of `true` and numbers of digits unless it is told not to; it is told so of two elements
# alone. `RvslInd` is then compared with a text, so that a reversal reads as one more payment. Account numbers lose their leading zeros and are made texts
# again, so the zeros are gone from what looks like a text; those of more than 16 digits keep them. An amount is multiplied by 100 as a fraction: 19.99 is
# 1998.9999999999998, which is no whole number and less than what was paid, and 5000 yen or 1.234 dinars, whose parts are no hundredths, are 500000 and 123.4.
# Expected: the types of the schema. `RvslInd` is a boolean, an account's `Id` and a reference are texts (Max34Text, Max35Text), and ISO 4217 says how many
# decimals a currency has. camt053 0.0.23 (Python) keeps all of it.
# Needs Node 20 or later, npm, and Python 3.10 or later. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check camt053==0.0.23
npm install --silent --no-audit --no-fund --no-save iso20022.js@0.0.15 fast-xml-parser@4.5.7 strnum@1.1.2 dinero.js@1.9.1
cat > statements.json << 'JSON'
[
  {"account": "0123456789", "reference": "0007", "amount": "19.99", "currency": "EUR", "reversal": "true"},
  {"account": "123456789", "reference": "7", "amount": "1.10", "currency": "EUR", "reversal": "false"},
  {"account": "00012345678901234567", "reference": "00E7", "amount": "5000", "currency": "JPY", "reversal": "true"},
  {"account": "A123456789", "reference": "A7", "amount": "1.234", "currency": "KWD", "reversal": "false"}
]
JSON
cat > expected.py << 'PYTHON'
import json

import camt053

XML = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2024-01-02T20:00:00Z</CreDtTm></GrpHdr>
  <Stmt><Id>S1</Id><CreDtTm>2024-01-02T20:00:00Z</CreDtTm>
    <Acct><Id><Othr><Id>{account}</Id></Othr></Id><Ccy>{currency}</Ccy><Svcr><FinInstnId><BIC>AAAADEFFXXX</BIC></FinInstnId></Svcr></Acct>
    <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-02</Dt></Dt></Bal>
    <Ntry><NtryRef>1</NtryRef><Amt Ccy="{currency}">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>{reversal}</RvslInd><Sts>BOOK</Sts>
      <BookgDt><Dt>2024-01-02</Dt></BookgDt><AcctSvcrRef>{reference}</AcctSvcrRef><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd></Ntry>
  </Stmt>
</BkToCstmrStmt></Document>"""
found = []
for given in json.load(open("statements.json")):
    xml = XML.format(**given)
    statement = camt053.parse_document(xml).statements[0]
    entry = statement.entries[0]
    read = [statement.account.other_id, entry.account_servicer_ref, f"{entry.amount} {entry.currency}", entry.reversal_indicator]
    found.append({"xml": xml, "read": read})
json.dump(found, open("expected.json", "w"))
PYTHON
env/bin/python expected.py
cat > finding.mjs << 'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { CashManagementEndOfDayReport } from "iso20022.js";

const KNOWN = [  // the account, the reference, the amount, and whether it is a reversal
  ["123456789", 7, 1998.9999999999998, false],
  ["123456789", 7, 110.00000000000001, false],
  ["00012345678901234567", "00E7", 500000, false],
  ["A123456789", "A7", 123.4, false],
];
for (const name of ["iso20022.js", "fast-xml-parser"]) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
console.log("The account, the reference, the amount, and whether it is a reversal:");
let changed = 0;
for (const [at, { xml, read }] of JSON.parse(readFileSync("expected.json")).entries()) {
  const statement = CashManagementEndOfDayReport.fromXML(xml).statements[0];
  const entry = statement.entries[0];
  const found = [statement.account.accountNumber, entry.accountServicerReferenceId, entry.amount, entry.reversal];
  console.log(`\n    comes:    ${JSON.stringify(found)}\n    expected: ${JSON.stringify(read)}`);
  if (JSON.stringify(found) !== JSON.stringify(KNOWN[at])) {
    console.log(`    CHANGED:  it was ${JSON.stringify(KNOWN[at])}`);
    changed++;
  }
}
process.exit(changed ? 1 : 0);
JAVASCRIPT
node finding.mjs
