import type { Config } from '#server/config.ts'
import type { Ai } from '#server/kernel/ai.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'

/** Null if no provider is configured; the app works without one. */
export const createAi = ({ ai }: Pick<Config, 'ai'>, clock: Clock): Ai | null => (ai ? createOpenAiCompatible(ai, clock) : null)
