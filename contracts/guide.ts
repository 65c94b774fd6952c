import * as z from 'zod/mini'
import { AccountType } from './accounts.ts'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { line } from './text.ts'

/** Where an answer comes from, or where to turn: an address here, the https address of an authority, or a `tel:` to call in an emergency. */
export const GuideLink = z.object({ title: z.string(), path: z.string() })
export type GuideLink = z.infer<typeof GuideLink>

/** Who worded an answer: the guide that is built in, or a language model, of the records that it was given. */
export const GuideVoice = z.enum(['built-in', 'model'])
export type GuideVoice = z.infer<typeof GuideVoice>

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
 * The specification's call. Nothing in it is believed where the account itself says so: it words the answer of somebody whose account says
 * nothing. Which records are shown depends on who is signed in alone.
 */
export const askOnboarding = endpoint({
  method: 'POST',
  path: '/api/ai/onboarding',
  summary: 'A welcome, guidance about a feature, or recommendations, out of the own records of this site',
  tag: 'Guide',
  access: 'member',
  words: 'account',
  body: z.object(wordings),
  response: z.object({
    /** For `welcome`; empty otherwise. */
    welcomeMessage: z.string(),
    /** For `feature`; empty otherwise. */
    featureGuidance: z.string(),
    /** For `welcome` and `recommendations`. */
    recommendations: z.array(z.string()),
    /** Of each recommendation, in the same order. */
    links: z.array(GuideLink),
    /** What the guidance was taken from. */
    guidanceLinks: z.array(GuideLink),
    voice: GuideVoice,
  }),
})

export const GuideStep = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  /** Where it is done. */
  path: z.string(),
  /** What `askOnboarding` is asked about for more. */
  featureName: z.string(),
  isDone: z.boolean(),
  /** `record`: the own records show it, and no mark takes it back. */
  doneBy: z.nullable(z.enum(['record', 'mark'])),
})
export type GuideStep = z.infer<typeof GuideStep>

export const GuideProgress = z.object({
  steps: z.array(GuideStep),
  completed: z.int(),
  total: z.int(),
  /** The step that is open; null once all are done. */
  current: z.nullable(z.string()),
  isDismissed: z.boolean(),
  /** May a language model word the answers: off until the person turns it on. */
  usesModel: z.boolean(),
  /** The host that the questions would then go to; null where this server has none. */
  modelHost: z.nullable(z.string()),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const getGuideProgress = endpoint({
  method: 'GET',
  path: '/api/ai/progress',
  summary: "The signed-in person's checklist: what their records show as done, and what they marked",
  tag: 'Guide',
  access: 'member',
  response: GuideProgress,
})

const StepId = z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Must be the id of a step'))

export const putGuideProgress = endpoint({
  method: 'PUT',
  path: '/api/ai/progress',
  summary: 'Keep the marks, the open step, and whether the guide is shown and may use a language model',
  tag: 'Guide',
  access: 'member',
  body: z.object({
    /** All steps that are marked by hand; what is not in it is marked no more. */
    completed: z.array(StepId).check(z.maxLength(30, 'At most 30 steps')),
    current: z.nullable(StepId),
    isDismissed: z.boolean(),
    usesModel: z.boolean(),
  }),
  response: GuideProgress,
})

export const guideRefusals = ['emergency', 'dose', 'health', 'legal'] as const
export const GuideRefusal = z.enum(guideRefusals)
export type GuideRefusal = z.infer<typeof GuideRefusal>

export const maxQuestionLength = 300

export const askGuide = endpoint({
  method: 'POST',
  path: '/api/ai/questions',
  summary: 'Ask the guide. It answers of the own records of this site with links, and never about health, doses or law; nothing is kept',
  tag: 'Guide',
  access: 'member',
  words: 'account',
  rateLimit: 'guide',
  body: z.object({ question: line(maxQuestionLength, 'Write a question') }),
  response: z.object({
    answer: z.string(),
    links: z.array(GuideLink),
    /** Why there is no answer but a word about where to turn. */
    refused: z.nullable(GuideRefusal),
    voice: GuideVoice,
  }),
})
