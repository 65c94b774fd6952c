import type { Config } from '../../config.ts'
import type { Ai } from '../../kernel/ai.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createOpenAiCompatible } from './openai-compatible.ts'

/** Null unless a provider is configured: everything works without one. */
export const createAi = ({ ai }: Pick<Config, 'ai'>, clock: Clock): Ai | null => (ai ? createOpenAiCompatible(ai, clock) : null)
