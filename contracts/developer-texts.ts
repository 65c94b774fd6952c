/** The calls for points of sale with an example of each. `developers.integration.test.ts` runs the examples as shown. */
export type CallExample = {
  id: string
  title: string
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  about: string
  curl: string
}

const menu = `{ "items": [
  { "id": "17", "name": "Blue Dream", "type": "Flower", "brand": "North Field",
    "strainType": "sativa", "cannabinoids": [{ "name": "THC", "min": 18.2, "max": 24.1, "unit": "%" }],
    "variants": [
      { "id": "17-a", "size": "1/8 oz", "price": 35, "inventory": 12, "batch": "B-1" },
      { "id": "17-b", "size": 7, "unit": "g", "price": 60, "salePrice": 52.50, "inventory": 0 } ] } ] }`

export const quickStart = `KEY=sgk_…   # from the dashboard: Menu, Connections
SITE=https://…   # the address of this site
curl "$SITE/api/integrations/menu/items" -X POST \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{ "items": [{ "id": "1", "name": "Blue Dream", "variants": [{ "id": "a", "size": "3.5g", "price": 35 }] }] }'`

const withKey = '-H "Authorization: Bearer $KEY"'
const withJson = `${withKey} -H "Content-Type: application/json"`

export const callExamples: readonly CallExample[] = [
  {
    id: 'complete-menu',
    title: 'Send the complete menu',
    call: 'POST /api/integrations/menu/items',
    about:
      'Sends everything that is for sale. Items from earlier calls that you leave out go out of stock; items that someone added manually don’t change. Each item is validated separately: those with an error are returned in `errors` with the path of the field, and the others are applied. An item can have a picture at its `imageUrl`; we fetch it once and show our own copy.',
    curl: `curl "$SITE/api/integrations/menu/items" -X POST ${withJson} -d '${menu}'`,
  },
  {
    id: 'some-items',
    title: 'Add or change some items',
    call: 'PUT /api/integrations/menu/items',
    about:
      'Leaves all other items unchanged. Fields that you don’t send keep their values; null clears a field. If you send `variants`, send all of them.',
    curl: `curl "$SITE/api/integrations/menu/items" -X PUT ${withJson} \\
  -d '{ "items": [{ "id": "17", "variants": [{ "id": "17-a", "inventory": 11 }, { "id": "17-b", "inventory": 4 }] }] }'`,
  },
  {
    id: 'remove-items',
    title: 'Remove items',
    call: 'DELETE /api/integrations/menu/items',
    about: 'Identifies the items by your own IDs. IDs that aren’t on the menu are ignored.',
    curl: `curl "$SITE/api/integrations/menu/items" -X DELETE ${withJson} -d '{ "ids": ["17"] }'`,
  },
  {
    id: 'read-menu',
    title: 'Read the menu',
    call: 'GET /api/integrations/menu',
    about: 'Returns the items in the format that the other calls accept. The URL of the next page is in the `Link` header.',
    curl: `curl "$SITE/api/integrations/menu?limit=100" ${withKey}`,
  },
  {
    id: 'status',
    title: 'Read the result of a sync',
    call: 'GET /api/integrations/menu/status',
    about: 'Returns the last sync, or one by its ID, with its counts and errors.',
    curl: `curl "$SITE/api/integrations/menu/status" ${withKey}`,
  },
  {
    id: 'post',
    title: 'Write a post',
    call: 'POST /api/integrations/posts',
    about:
      'Publishes a post for the business, or saves it as a draft for the team with `"status": "draft"`. The same rules apply as in the app: a post may be held for review, and promotions need a verified license. Send your own `Idempotency-Key` so a repeated call doesn’t post twice.',
    curl: `curl "$SITE/api/integrations/posts" -X POST ${withJson} -H "Idempotency-Key: news-17" \\
  -d '{ "title": "Open late on Friday", "content": "This Friday our doors stay open until 10 p.m.", "tags": ["hours"] }'`,
  },
  {
    id: 'insights',
    title: 'Read insights',
    call: 'GET /api/integrations/insights',
    about:
      'Returns the figures on the dashboard’s Overview tab, by day, week or month. A count of fewer than five people is null. Without a plan that includes analytics, `insights` is null.',
    curl: `curl "$SITE/api/integrations/insights?days=28&by=week" ${withKey}`,
  },
  {
    id: 'token',
    title: 'Get an OAuth token',
    call: 'POST /api/oauth/token',
    about:
      'For systems that use OAuth client credentials. The client ID is the key’s ID, and the secret is the key itself. A token is valid for an hour.',
    curl: `curl "$SITE/api/oauth/token" -d grant_type=client_credentials -d "client_id=$KEY_ID" -d "client_secret=$KEY"`,
  },
]

/** `sensor-keys.integration.test.ts` runs the curl calls as shown and checks the fields that the others send. */
export const sensorExamples = {
  one: `curl "$SITE/api/sensor-readings" ${withJson} \\
  -d '{ "temperature": 77.5, "humidity": 58, "unit": "F", "co2": 900 }'`,
  several: `curl "$SITE/api/sensor-readings" ${withJson} -d '[
  { "time": "2026-11-28T17:04:05Z", "temperature": 25.3, "humidity": 58, "leafTemperature": 23.9 },
  { "time": "2026-11-28T17:05:05Z", "temperature": 25.4, "humidity": 57 } ]'`,
  homeAssistant: `# configuration.yaml
rest_command:
  send_tent:
    url: https://…/api/sensor-readings
    method: post
    headers:
      authorization: "Bearer sgs_…"
    content_type: application/json
    payload: >
      { "temperature": "{{ states('sensor.tent_temperature') }}",
        "humidity": "{{ states('sensor.tent_humidity') }}",
        "co2": "{{ states('sensor.tent_co2') }}",
        "unit": "F" }

automation:
  - alias: Send the tent's readings
    triggers:
      - trigger: time_pattern
        minutes: "/1"
    actions:
      - action: rest_command.send_tent`,
  espHome: `http_request:

interval:
  - interval: 60s
    then:
      - http_request.post:
          url: https://…/api/sensor-readings
          request_headers:
            Authorization: Bearer sgs_…
            Content-Type: application/json
          json: |-
            root["temperature"] = id(tent_temperature).state;
            root["humidity"] = id(tent_humidity).state;`,
}

export const webhookPayload = `{
  "type": "review.created",
  "timestamp": "2026-11-28T17:04:05.000Z",
  "data": {
    "businessId": "01939c3e-7a10-7c3e-9d0b-4f6a2b1c8e57",
    "reviewId": "01939c5a-0d42-7b6f-8a51-93d7c2e0f4ab",
    "url": "https://…/business/green-door?tab=reviews"
  }
}`

/** Identical to `docs/examples/receive-webhooks.ts`. */
export const webhookExample = [
  '/** Verifies that a webhook comes from the site. Requires the standardwebhooks package and the secret in WEBHOOK_SECRET. */',
  "import { createServer } from 'node:http'",
  "import { Webhook } from 'standardwebhooks'",
  '',
  "const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')",
  'const seen = new Set<string>()',
  '',
  'createServer(async (request, response) => {',
  "  let body = ''",
  '  for await (const part of request) body += part',
  '  try {',
  '    // Verify the body exactly as it was sent: parsing and serializing it again would change it.',
  '    const event = webhook.verify(body, request.headers as Record<string, string>) as { type: string; data: object }',
  "    const id = String(request.headers['webhook-id'])",
  '    // A webhook may be sent more than once, always with the same ID.',
  '    if (!seen.has(id)) console.log(event.type, event.data)',
  '    seen.add(id)',
  '    response.writeHead(204).end()',
  '  } catch {',
  '    response.writeHead(401).end()',
  '  }',
  '}).listen(Number(process.env.PORT ?? 8080))',
].join('\n')
