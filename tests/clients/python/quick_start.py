"""The quick start of the guide, step by step, with the client that openapi-python-client has made of the OpenAPI document.

AMLGRAPH_URL and AMLGRAPH_KEY (an administrator's) say where.
"""

import os

from amlgraph_client import AuthenticatedClient, Client, models
from amlgraph_client.api.accounts import add_account, add_account_balance, add_actor_to_account
from amlgraph_client.api.actors import add_actor, add_actor_associates, add_actor_risk_assessment, get_actor
from amlgraph_client.api.credentials import create_client, token_request
from amlgraph_client.api.detection import initialize_batch
from amlgraph_client.api.transactions import add_transaction, get_transaction

URL, KEY = os.environ["AMLGRAPH_URL"], os.environ["AMLGRAPH_KEY"]


def done(response):
    """What a request that must succeed was answered with."""
    assert response.status_code < 300, (response.status_code, response.content)
    assert response.parsed is not None and not isinstance(response.parsed, models.Errors), response.content
    assert response.headers["x-request-id"]
    return response.parsed


def of(kind, **fields):
    """A model out of its JSON, as somebody who has only the document writes it."""
    return kind.from_dict(fields)


def credentials():
    admin = AuthenticatedClient(URL, KEY, auth_header_name="x-api-key", prefix="")
    made = done(create_client.sync_detailed(client=admin, body=of(models.CredentialWanted, role="INGEST", name="python")))
    form = of(models.TokenRequest, grant_type="client_credentials", client_id=made.client_id, client_secret=made.client_secret)
    token = done(token_request.sync_detailed(client=Client(URL), body=form))
    return AuthenticatedClient(URL, token.access_token)


def main():
    # 1. Credentials.
    client = credentials()
    # 2. Actors.
    person = dict(id="py-anna", type="INDIVIDUAL", asOfDate="2024-01-31", name="Anna Ek", dateOfBirth="1990-12-10", gender="FEMALE")
    echoed = done(add_actor.sync_detailed(client=client, body=of(models.ActorRecord, **person)))
    assert echoed.to_dict() == person, echoed
    company = dict(id="py-ek-ab", type="LEGAL_ENTITY", asOfDate="2024-01-31", legalEntity={"dateOfRegistration": "2010-05-01", "type": "LIMITED_COMPANY"})
    done(add_actor.sync_detailed(client=client, body=of(models.ActorRecord, **company)))
    # 3. Accounts.
    account = of(models.AccountRecord, id="py-current", accountType="CURRENT", asOfDate="2024-01-31", currencyCode="EUR")
    assert done(add_account.sync_detailed(client=client, body=account)) == account
    # 4. Who holds them.
    roles = of(models.AccountActors, actors=[{"id": "py-anna", "role": "OWNER"}], asOfDate="2024-01-31")
    assert done(add_actor_to_account.sync_detailed("py-current", client=client, body=roles)) == roles
    # 5. Balances.
    balance = of(models.AccountBalance, currency="EUR", current=1250.75, asOfDate="2024-01-31")
    stored = done(add_account_balance.sync_detailed("py-current", client=client, body=balance))
    assert stored.account_id == "py-current" and stored.internal_id, stored
    # 6. Transactions; again under the same key, as after a failure.
    payment = dict(
        id="py-payment", account_id="py-current", account_owner_id="py-anna", amount={"value": 250.75, "currency": "EUR"}, standardized_amount=250.75,
        direction="OUTBOUND", status="COMPLETED", created_at=1706702400,
        counterparty={"object": "ACCOUNT_INFO", "name": "Ek AB", "account_info": {"iban": "GB33BUKB20201555555555"}},
    )
    for replayed in (None, "true"):
        sent = add_transaction.sync_detailed(client=client, body=of(models.TransactionRecord, **payment), idempotency_key="py-payment-1")
        assert done(sent).transaction_id == "py-payment" and sent.headers.get("idempotent-replayed") == replayed, sent
    assert done(get_transaction.sync_detailed("py-payment", client=client)).amount.value == 250.75
    # 7. Associates and risk assessments.
    associates = of(models.ActorAssociates, actorAssociates=[{"id": "py-ek-ab", "type": "DIRECTOR", "isCustomer": True}], asOfDate="2024-01-31")
    assert done(add_actor_associates.sync_detailed("py-anna", client=client, body=associates)) == associates
    assessment = of(models.RiskAssessment, asOfDate="2024-01-31", type="PEP", value="NO")
    assert done(add_actor_risk_assessment.sync_detailed("py-anna", client=client, body=[assessment])) == [assessment]
    # What is wrong is told in the documented shape.
    missing = get_actor.sync_detailed("py-nobody", client=client)
    assert missing.status_code == 404 and isinstance(missing.parsed, models.Errors) and missing.parsed.errors, missing
    # 8. The batch.
    batch = of(models.DetectionBatch, closeOfBusinessDate="2024-01-31", lineOfBusiness="INDIVIDUAL", processType="AML")
    assert done(initialize_batch.sync_detailed(client=client, body=batch)) == batch
    print("openapi-python-client: the quick start is taken")


main()
