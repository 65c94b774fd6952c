import * as z from './zod.ts'

/** A source or a place to get help: a path on this site, an authority's https URL, or a `tel:` link for emergencies. */
export const GuideLink = z.object({ title: z.string(), path: z.string() })
export type GuideLink = z.infer<typeof GuideLink>

/** Who phrased the answer: the built-in guide, or a language model from records it was given. */
export const GuideVoice = z.enum(['built-in', 'model'])
export type GuideVoice = z.infer<typeof GuideVoice>

export const GuideStep = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  /** The page to do it on. */
  path: z.string(),
  /** Passed to `askOnboarding` for more help. */
  featureName: z.string(),
  isDone: z.boolean(),
  /** `record`: detected from the person's data, so it can't be unmarked. */
  doneBy: z.nullable(z.enum(['record', 'mark'])),
})
export type GuideStep = z.infer<typeof GuideStep>

export const GuideProgress = z.object({
  steps: z.array(GuideStep),
  completed: z.int(),
  total: z.int(),
  /** The current step; null once all are done. */
  current: z.nullable(z.string()),
  isDismissed: z.boolean(),
  /** Whether a language model may phrase answers; off by default. */
  usesModel: z.boolean(),
  /** The host that would receive the questions; null if this server has none. */
  modelHost: z.nullable(z.string()),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const guideRefusals = ['emergency', 'dose', 'health', 'legal'] as const
export const GuideRefusal = z.enum(guideRefusals)
export type GuideRefusal = z.infer<typeof GuideRefusal>
