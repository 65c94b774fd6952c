/** The calls for points of sale with an example of each, which a test runs as shown: `developers.integration.test.ts`. */
export type CallExample = {
  id: string
  title: string
  /** The call that it makes. */
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

/** The shortest way to a first item on a menu. */
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
      'Sends everything that is for sale. Items that you sent before and that are missing now go out of stock; items that someone added by hand stay as they are. Each item is checked on its own: those with an error come back in `errors`, with the path of the field, and the others are applied. An item may name a picture by its `imageUrl`; we fetch it once and show our own copy.',
    curl: `curl "$SITE/api/integrations/menu/items" -X POST ${withJson} -d '${menu}'`,
  },
  {
    id: 'some-items',
    title: 'Add or change some items',
    call: 'PUT /api/integrations/menu/items',
    about:
      'Leaves all other items as they are. A field that you don’t send stays; null empties it. If you send `variants`, send all of them.',
    curl: `curl "$SITE/api/integrations/menu/items" -X PUT ${withJson} \\
  -d '{ "items": [{ "id": "17", "variants": [{ "id": "17-a", "inventory": 11 }, { "id": "17-b", "inventory": 4 }] }] }'`,
  },
  {
    id: 'remove-items',
    title: 'Remove items',
    call: 'DELETE /api/integrations/menu/items',
    about: 'Names the items by your own IDs. IDs that aren’t on the menu are ignored.',
    curl: `curl "$SITE/api/integrations/menu/items" -X DELETE ${withJson} -d '{ "ids": ["17"] }'`,
  },
  {
    id: 'read-menu',
    title: 'Read the menu',
    call: 'GET /api/integrations/menu',
    about: 'Returns the items in the form that the other calls accept. The next page’s address is in the `Link` header.',
    curl: `curl "$SITE/api/integrations/menu?limit=100" ${withKey}`,
  },
  {
    id: 'status',
    title: 'Read what a sync did',
    call: 'GET /api/integrations/menu/status',
    about: 'Returns the last sync, or one by its ID, with its counts and errors.',
    curl: `curl "$SITE/api/integrations/menu/status" ${withKey}`,
  },
  {
    id: 'post',
    title: 'Write a post',
    call: 'POST /api/integrations/posts',
    about:
      'Publishes a post for the business, or saves it as a draft for the team with `"status": "draft"`. The same rules apply as in the app: a post may be held for review, and promotions need a verified license. Send an `Idempotency-Key` of your own, so that a repeated call doesn’t post twice.',
    curl: `curl "$SITE/api/integrations/posts" -X POST ${withJson} -H "Idempotency-Key: news-17" \\
  -d '{ "title": "Open late on Friday", "content": "This Friday our doors stay open until 10 p.m.", "tags": ["hours"] }'`,
  },
  {
    id: 'insights',
    title: 'Read insights',
    call: 'GET /api/integrations/insights',
    about:
      'Returns the figures of the dashboard’s Overview, by day, week or month. They never show fewer than five people: such a figure is null. Without Business Tools, `insights` is null.',
    curl: `curl "$SITE/api/integrations/insights?days=28&by=week" ${withKey}`,
  },
  {
    id: 'token',
    title: 'Get an OAuth token',
    call: 'POST /api/oauth/token',
    about:
      'For systems that use OAuth client credentials. The client ID is the ID of the key, and the key is the secret. A token is valid for an hour.',
    curl: `curl "$SITE/api/oauth/token" -d grant_type=client_credentials -d "client_id=$KEY_ID" -d "client_secret=$KEY"`,
  },
]

export const webhookPayload = `{
  "type": "review.created",
  "timestamp": "2026-11-28T17:04:05.000Z",
  "data": {
    "businessId": "01939c3e-7a10-7c3e-9d0b-4f6a2b1c8e57",
    "reviewId": "01939c5a-0d42-7b6f-8a51-93d7c2e0f4ab",
    "url": "https://…/business/green-door?tab=reviews"
  }
}`

/** `docs/examples/receive-webhooks.ts`. */
export const webhookExample = [
  '/** Checks that a webhook comes from the site. Needs the package standardwebhooks, and the secret in WEBHOOK_SECRET. */',
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
  '    // The body as it was sent: parsing it and serializing it again would change it.',
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
