/** Verifies that a webhook comes from the site. Requires the standardwebhooks package and the secret in WEBHOOK_SECRET. */
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')
const seen = new Set<string>()

createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  try {
    // Verify the body exactly as it was sent: parsing and serializing it again would change it.
    const event = webhook.verify(body, request.headers as Record<string, string>) as { type: string; data: object }
    const id = String(request.headers['webhook-id'])
    // A webhook may be sent more than once, always with the same ID.
    if (!seen.has(id)) console.log(event.type, event.data)
    seen.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(Number(process.env.PORT ?? 8080))
