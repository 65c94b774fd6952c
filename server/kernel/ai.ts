/** An external language model. Its output is unreliable, so callers must check it. */
export type Ai = {
  /** The recipient of the words, as shown to people: `api.example.com`. */
  readonly host: string
  /** @throws AiUnavailable if there is no usable response */
  complete(request: AiRequest): Promise<string>
}

export type AiRequest = {
  system: string
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  maxTokens: number
  signal?: AbortSignal
}

/** There was no response, or no readable one. The message never contains any of the prompt or response. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable'
}
