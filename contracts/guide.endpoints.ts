import { AccountType } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, line } from './fields.ts'
import { maxQuestionLength } from './limits.ts'
import { DistanceUnit } from './settings.ts'
import * as z from './zod.ts'

/** A source or a place to get help: a path on this site, an authority's https URL, or a `tel:` link for emergencies. */
export const GuideLink = z.object({ title: z.string(), path: z.string() })
export type GuideLink = z.infer<typeof GuideLink>

/** The built-in guide, or a language model that uses the records sent to it. */
const GuideVoice = z.enum(['built-in', 'model'])

export const GuideStep = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  path: z.string(),
  /** Pass this to `askOnboarding` for more help. */
  featureName: z.string(),
  isDone: z.boolean(),
  /** `record`: detected from the person's data, so the step can't be unmarked. */
  doneBy: z.nullable(z.enum(['record', 'mark'])),
})
export type GuideStep = z.infer<typeof GuideStep>

export const GuideProgress = z.object({
  steps: z.array(GuideStep),
  completed: z.int(),
  total: z.int(),
  /** Null when all steps are done. */
  current: z.nullable(z.string()),
  isDismissed: z.boolean(),
  usesModel: z.boolean(),
  /** The host that would receive questions; null if this server has no model. */
  modelHost: z.nullable(z.string()),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const guideRefusals = ['emergency', 'dose', 'health', 'legal'] as const
export const GuideRefusal = z.enum(guideRefusals)
export type GuideRefusal = z.infer<typeof GuideRefusal>

const wordings = {
  type: z.enum(['welcome', 'feature', 'recommendations']),
  userType: z.optional(z.nullable(AccountType)),
  userName: z.optional(z.nullable(line(80))),
  businessType: z.optional(z.nullable(BusinessTypeSchema)),
  interests: z.optional(z.nullable(z.array(line(60)).check(z.maxLength(20, 'At most 20 interests')))),
  currentStep: z.optional(z.nullable(line(60))),
  featureName: z.optional(z.nullable(line(60))),
}

/**
 * The specification's call. It uses only these inputs: `type`, the feature (`featureName` or else `currentStep`) and, for accounts without
 * a name, `userName`. The account's own data decides everything else.
 */
export const askOnboarding = endpoint({
  method: 'POST',
  path: '/api/ai/onboarding',
  summary: "Read a welcome message, help with a feature, or recommendations, based on this site's records",
  tag: 'Guide',
  access: 'member',
  words: 'account',
  body: z.object(wordings),
  response: z.object({
    /** Empty unless `type` is `welcome`. */
    welcomeMessage: z.string(),
    /** Empty unless `type` is `feature`. */
    featureGuidance: z.string(),
    /** Only for `welcome` and `recommendations`. */
    recommendations: z.array(z.string()),
    /** One per recommendation, in the same order. */
    links: z.array(GuideLink),
    guidanceLinks: z.array(GuideLink),
    voice: GuideVoice,
  }),
})

export const getGuideProgress = endpoint({
  method: 'GET',
  path: '/api/ai/progress',
  summary: 'Read your checklist: the steps that your records show as done and the steps you marked',
  tag: 'Guide',
  access: 'member',
  response: GuideProgress,
})

const StepId = z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Must be the ID of a step'))

export const saveGuideProgress = endpoint({
  method: 'PATCH',
  path: '/api/ai/progress',
  summary: "Change the checklist's marks, the open step, or whether the guide is shown and may use a language model",
  tag: 'Guide',
  access: 'member',
  /** Omitted fields don't change. */
  body: z.object({
    /** The complete list of manually marked steps: omitted steps are unmarked. */
    completed: z.optional(z.array(StepId).check(z.maxLength(30, 'At most 30 steps'))),
    current: z.optional(z.nullable(StepId)),
    isDismissed: z.optional(z.boolean()),
    usesModel: z.optional(z.boolean()),
  }),
  response: GuideProgress,
})

export const askGuide = endpoint({
  method: 'POST',
  path: '/api/ai/questions',
  summary: "Ask the guide. It answers from this site's records, with links, and never about health, doses or law. Nothing is stored.",
  tag: 'Guide',
  access: 'member',
  words: 'account',
  rateLimit: 'guide',
  body: z.object({
    question: line(maxQuestionLength, 'Enter a question'),
    /** The unit of distances in the answer. */
    distanceUnit: z._default(DistanceUnit, 'mi'),
  }),
  response: z.object({
    answer: z.string(),
    links: z.array(GuideLink),
    /** Why the guide didn't answer and only says where to get help. */
    refused: z.nullable(GuideRefusal),
    voice: GuideVoice,
  }),
})
