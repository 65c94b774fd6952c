import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

type Chat = { model: string; messages: { role: string; content: string }[]; max_tokens: number; temperature: number; stream: boolean }

export type AiFault = 'slow' | 'error' | 'busy' | 'truncated' | 'huge' | 'silent' | 'cut' | 'redirect' | 'empty'

export type AiServer = {
  env: Record<string, string>
  url: string
  key: string
  /** Received requests, oldest first. */
  chats: Chat[]
  keys: (string | undefined)[]
  /** The assistant's reply; null cites the first source. */
  says: string | null
  /** The fault in every response until the test changes it. */
  fault: AiFault | null
  close(): Promise<void>
}

/** A language model server with OpenAI's documented responses to `POST /v1/chat/completions` and with faults. */
export async function startAiServer(): Promise<AiServer> {
  const app = Fastify({ forceCloseConnections: true })
  const key = 'sk-test-0123456789abcdef'
  const server: Omit<AiServer, 'env' | 'url' | 'close'> = { key, chats: [], keys: [], says: null, fault: null }
  const waiting = new Set<NodeJS.Timeout>()

  const completion = (content: string, finishReason = 'stop') => ({
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'test-model',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: finishReason }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  })

  app.post<{ Body: Chat }>('/v1/chat/completions', async (request, reply) => {
    const chat = request.body
    server.chats.push(chat)
    server.keys.push(request.headers.authorization?.replace(/^Bearer /, ''))
    const answer = completion(server.says ?? firstSource(chat))
    switch (server.fault) {
      case 'error':
        return reply.code(500).send({ error: { message: `The server had an error with key ${key}`, type: 'server_error' } })
      case 'busy':
        return reply
          .code(429)
          .header('retry-after', '20')
          .send({ error: { message: 'Rate limit reached', type: 'requests' } })
      case 'truncated':
        return reply.type('application/json').send(JSON.stringify(answer).slice(0, -40))
      case 'huge':
        return completion('word '.repeat(200_000))
      case 'cut':
        return completion('Green Leaf is [1', 'length')
      case 'empty':
        return { ...answer, choices: [] }
      case 'redirect':
        return reply.redirect('/elsewhere', 307)
      case 'silent':
        reply.hijack()
        return
      case 'slow':
        await new Promise<void>((resolve) => waiting.add(setTimeout(resolve, 3000)))
        return answer
      default:
        return answer
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`
  return Object.assign(server, {
    url,
    env: { AI_BASE_URL: url, AI_API_KEY: key, AI_MODEL: 'test-model', AI_TIMEOUT_MS: '500' },
    async close() {
      for (const timer of waiting) clearTimeout(timer)
      await app.close()
    },
  })
}

/** Replies as an obedient model would, with one sentence and its source. */
function firstSource({ messages }: Chat): string {
  const { sources } = JSON.parse(messages.at(-1)?.content ?? '{}') as { sources?: { title: string }[] }
  return `You may want to look at ${sources?.[0]?.title ?? 'nothing'} [1].`
}
