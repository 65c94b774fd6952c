import type { Config } from '#server/config.ts'
import { type Ai, type AiRequest, AiUnavailable, type Clock, systemClock } from '#server/kernel/context.ts'

export type AiSettings = {
  /** Includes the version, without a trailing slash: `https://api.example.com/v1`. */
  baseUrl: string
  /** Self-hosted servers often need no key. */
  apiKey: string | undefined
  model: string
  timeoutMs: number
}

/** A hundred times the size of a response with a few hundred tokens. Larger responses are refused. */
const maxAnswerBytes = 256 * 1024
/** After this many failures in a row, requests pause for `pauseMs`, so no one waits for a provider that is down. */
const failuresUntilPause = 3
const pauseMs = 30_000

/**
 * A chat client for OpenAI's `POST /chat/completions`, which nearly every provider and model server supports. Never retries, because a
 * person is waiting and the app works without the answer.
 */
export function createOpenAiCompatible(settings: AiSettings, clock: Clock = systemClock): Ai {
  const { baseUrl, apiKey, model, timeoutMs } = settings
  let failures = 0
  let pausedUntil = 0

  const ask = async ({ system, messages, maxTokens, signal }: AiRequest): Promise<string> => {
    const limit = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        messages: [{ role: 'system', content: system }, ...messages],
        max_tokens: maxTokens,
        temperature: 0.2,
        stream: false,
      }),
      // A redirect would leave the configured provider.
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new AiUnavailable(`the provider responded with ${response.status}`)
    }
    return contentOf(await readBounded(response))
  }

  return {
    host: new URL(baseUrl).host,
    async complete(request) {
      if (clock.now().getTime() < pausedUntil) throw new AiUnavailable('the provider failed several times; pausing requests for a while')
      try {
        const text = await ask(request)
        failures = 0
        return text
      } catch (error) {
        // If the caller aborted, the provider isn't at fault.
        if (!request.signal?.aborted && ++failures >= failuresUntilPause) {
          failures = 0
          pausedUntil = clock.now().getTime() + pauseMs
        }
        if (error instanceof AiUnavailable) throw error
        // `fetch` errors may contain the URL and user input.
        throw new AiUnavailable(
          error instanceof Error && error.name === 'TimeoutError' ? 'the provider took too long' : "the provider can't be reached",
        )
      }
    },
  }
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > maxAnswerBytes) throw new AiUnavailable("the provider's response is too large")
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** @throws AiUnavailable unless the response contains text that wasn't cut off at `max_tokens` */
function contentOf(body: string): string {
  let parsed: { choices?: { message?: { content?: unknown }; finish_reason?: unknown }[] } | null
  try {
    parsed = JSON.parse(body)
  } catch {
    throw new AiUnavailable("the provider's response is not JSON")
  }
  const choice = parsed?.choices?.[0]
  const content = choice?.message?.content
  if (typeof content !== 'string' || content.trim() === '') throw new AiUnavailable("the provider's response contains no text")
  if (choice?.finish_reason === 'length') throw new AiUnavailable("the provider's response was cut off")
  return content.trim()
}

export const createAi = ({ ai }: Pick<Config, 'ai'>, clock: Clock): Ai | null => (ai ? createOpenAiCompatible(ai, clock) : null)
