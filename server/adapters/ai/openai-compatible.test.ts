import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ai } from '#server/kernel/context.ts'
import { type AiServer, startAiServer } from '#tests/support/ai-server.ts'
import { createTestClock } from '#tests/support/clock.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'

const request = { system: 'Be brief.', messages: [{ role: 'user' as const, content: '{"request":"hello","sources":[]}' }], maxTokens: 50 }

describe('an OpenAI-compatible language model', () => {
  let server: AiServer
  let ai: Ai
  const clock = createTestClock()
  const within = (timeoutMs: number) =>
    createOpenAiCompatible({ baseUrl: server.url, apiKey: server.key, model: 'test-model', timeoutMs }, clock)
  beforeAll(async () => {
    server = await startAiServer()
  })
  beforeEach(() => {
    server.fault = null
    server.says = 'Hello.'
    server.chats.length = 0
    ai = within(20_000)
  })
  afterAll(() => server.close())

  test('receives the documented request with the key', async () => {
    expect(await ai.complete(request)).toBe('Hello.')
    expect(server.chats[0]).toEqual({
      model: 'test-model',
      messages: [{ role: 'system', content: 'Be brief.' }, ...request.messages],
      max_tokens: 50,
      temperature: 0.2,
      stream: false,
    })
    expect(server.keys.at(-1)).toBe(server.key)
    expect(ai.host).toBe(new URL(server.url).host)
  })

  test('receives no key if none is configured', async () => {
    await createOpenAiCompatible({ baseUrl: server.url, apiKey: undefined, model: 'local', timeoutMs: 20_000 }).complete(request)
    expect(server.keys.at(-1)).toBeUndefined()
  })

  test.each([
    ['slow', 'the provider took too long'],
    ['silent', 'the provider took too long'],
    ['error', 'the provider responded with 500'],
    ['busy', 'the provider responded with 429'],
    ['truncated', "the provider's response is not JSON"],
    ['huge', "the provider's response is too large"],
    ['cut', "the provider's response was cut off"],
    ['empty', "the provider's response contains no text"],
    ['redirect', "the provider can't be reached"],
  ] as const)('counts as unavailable after the fault “%s”, without leaking the request or the key', async (fault, message) => {
    server.fault = fault
    const error = await within(fault === 'slow' || fault === 'silent' ? 100 : 20_000)
      .complete(request)
      .catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ name: 'AiUnavailable', message })
  })

  test('is called once per question, and is skipped for half a minute after three failures', async () => {
    server.fault = 'error'
    for (let i = 0; i < 4; i++) await expect(ai.complete(request)).rejects.toMatchObject({ name: 'AiUnavailable' })
    expect(server.chats.length).toBe(3)
    server.fault = null
    await expect(ai.complete(request)).rejects.toMatchObject({ message: expect.stringContaining('pausing requests') })
    clock.advance({ seconds: 31 })
    expect(await ai.complete(request)).toBe('Hello.')
  })

  test('is not marked as failing by aborted requests', async () => {
    server.fault = 'slow'
    for (let i = 0; i < 3; i++)
      await expect(ai.complete({ ...request, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AiUnavailable' })
    server.fault = null
    expect(await ai.complete(request)).toBe('Hello.')
  })
})
