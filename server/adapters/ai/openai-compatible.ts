import { type Ai, type AiRequest, AiUnavailable } from '../../kernel/ai.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'

export type AiSettings = {
  /** Up to and with the version: `https://api.example.com/v1`; no slash at the end. */
  baseUrl: string
  /** Servers of one's own often ask for none. */
  apiKey: string | undefined
  model: string
  timeoutMs: number
}

/** An answer of a few hundred tokens weighs a hundredth of this; whoever sends more is not read to the end. */
const maxAnswerBytes = 256 * 1024
/** After so many failures in a row it is left alone for a while, so that nobody waits for what does not come. */
const failuresUntilRest = 3
const restMs = 30_000

/**
 * A chat of the form that OpenAI's `POST /chat/completions` has, and with it nearly every other provider and server of models.
 * One try and no second one: a person is waiting, and there is an answer without it.
 */
export function createOpenAiCompatible(settings: AiSettings, clock: Clock = systemClock): Ai {
  const { baseUrl, apiKey, model, timeoutMs } = settings
  let failures = 0
  let restsUntil = 0

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
      // A provider that sends us elsewhere is not the one that was configured.
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new AiUnavailable(`the provider answered ${response.status}`)
    }
    return contentOf(await readBounded(response))
  }

  return {
    host: new URL(baseUrl).host,
    async complete(request) {
      if (clock.now().getTime() < restsUntil) throw new AiUnavailable('the provider failed several times and is left alone for a while')
      try {
        const text = await ask(request)
        failures = 0
        return text
      } catch (error) {
        // Whoever asked went away: that says nothing of the provider.
        if (!request.signal?.aborted && ++failures >= failuresUntilRest) {
          failures = 0
          restsUntil = clock.now().getTime() + restMs
        }
        if (error instanceof AiUnavailable) throw error
        // The errors of fetch may hold the address, with what somebody put into it.
        throw new AiUnavailable(
          error instanceof Error && error.name === 'TimeoutError' ? 'the provider took too long' : 'the provider cannot be reached',
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
    if (size > maxAnswerBytes) throw new AiUnavailable('the answer of the provider is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** `choices[0].message.content`. A refusal, a call of a tool, or an answer that was cut at `max_tokens` is none. */
function contentOf(body: string): string {
  let parsed: { choices?: { message?: { content?: unknown }; finish_reason?: unknown }[] } | null
  try {
    parsed = JSON.parse(body)
  } catch {
    throw new AiUnavailable('the answer of the provider is not JSON')
  }
  const choice = parsed?.choices?.[0]
  const content = choice?.message?.content
  if (typeof content !== 'string' || content.trim() === '') throw new AiUnavailable('the answer of the provider holds no text')
  if (choice?.finish_reason === 'length') throw new AiUnavailable('the answer of the provider was cut')
  return content.trim()
}
