import { setTimeout as sleep } from 'node:timers/promises'

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  cookie: string
  body?: object
  /** The idempotency key. */
  key?: string
}

/** Status 0: no response. */
export type Answer = { status: number; body: unknown }

export type Caller = {
  /** A single attempt at this node. */
  ask(node: number, call: Call): Promise<Answer>
  /** Repeats the call on alternating nodes until its result is certain: done, or refused for good. */
  settle(call: Call): Promise<Answer>
  /** Like `settle`, for a call that must succeed. @throws if it is refused */
  accomplish<Body>(call: Call): Promise<Body>
  /** How often each status was received. */
  statuses: ReadonlyMap<number, number>
  faults: string[]
  /** From now on, abandons calls whose result is still uncertain after this time. */
  expireIn(ms: number): void
}

const timeoutMs = 30_000
const pauseMs = 150

export class GivenUp extends Error {
  override name = 'GivenUp'
}

export function createCaller(origins: readonly string[]): Caller {
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let giveUpAt = Number.POSITIVE_INFINITY
  let turn = 0

  async function ask(node: number, { method, path, cookie, body, key }: Call): Promise<Answer> {
    const answer = await fetch(`${origins[node % origins.length]}${path}`, {
      method,
      headers: {
        cookie,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then(async (response): Promise<Answer> => {
        const text = await response.text()
        if (response.status === 503 && !response.headers.has('retry-after')) faults.push(`503 without Retry-After: ${method} ${path}`)
        return { status: response.status, body: readBody(text) }
      })
      .catch((): Answer => ({ status: 0, body: null }))
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    // Nodes are never stopped under load here, so every request should get a response, and every error should allow a retry.
    if (answer.status === 0 || (answer.status >= 500 && answer.status !== 503)) {
      faults.push(`${answer.status || 'no response'}: ${method} ${path} ${JSON.stringify(answer.body)}`)
    }
    return answer
  }

  async function settle(call: Call): Promise<Answer> {
    for (;;) {
      const answer = await ask(turn++, call)
      if (isClear(answer)) return answer
      if (performance.now() > giveUpAt) throw new GivenUp(`${call.method} ${call.path}: no clear response`)
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  return {
    ask,
    settle,
    async accomplish<Body>(call: Call) {
      const answer = await settle(call)
      if (answer.status < 300) return answer.body as Body
      const refusal = `${call.method} ${call.path} was refused: ${answer.status} ${JSON.stringify(answer.body)}`
      faults.push(refusal)
      throw new GivenUp(refusal)
    },
    statuses,
    faults,
    expireIn(ms) {
      giveUpAt = performance.now() + ms
    },
  }
}

const isClear = ({ status }: Answer): boolean => status >= 200 && status < 500 && status !== 429

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 200)
  }
}
