import { AccountType } from '#contracts/accounts.ts'
import type { interestOptions } from '#contracts/choices.ts'
import * as z from '#contracts/zod.ts'
import type { Bought } from '#web/entities/billing/purchase-step.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'

const Draft = z.object({
  agreementId: z.string(),
  planName: z.string(),
  /** The business the plan was bought for; null if it will be created here. */
  business: z.nullable(z.object({ id: z.string(), name: z.string() })),
  step: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  isOver18: z.boolean(),
  userType: z.nullable(AccountType),
})
/** Progress of the wizard after a purchase. Its forms save their own drafts. */
export type OnboardingDraft = z.infer<typeof Draft>

type Named = { id: string; name: string }

export const startOnboarding = (bought: Pick<Bought, 'agreementId'>, planName: string, business: Named | null): OnboardingDraft => ({
  agreementId: bought.agreementId,
  planName,
  business: business && { id: business.id, name: business.name },
  step: 1,
  isOver18: false,
  userType: null,
})

export const canContinue = ({ step, isOver18, userType }: OnboardingDraft): boolean => (step === 1 ? isOver18 : userType !== null)

const key = (userId: string) => `plans-onboarding.${userId}`

/** The wizard interrupted by a reload. Null if the stored value is invalid, since people can edit storage. */
export function recallOnboarding(userId: string): OnboardingDraft | null {
  return Draft.safeParse(recall(key(userId))).data ?? null
}

export function saveOnboarding(userId: string, draft: OnboardingDraft | null): void {
  if (draft) remember(key(userId), draft)
  else forget(key(userId))
}

/** Interests on the plans page, with its wording. */
export const interestChoices = ['Flower', 'Edibles', 'Concentrates', 'Topicals', 'CBD', 'Accessories'] as const

/** "CBD" is stored as the profile's "CBD Products", so that it counts as one interest. */
const cbd: (typeof interestOptions)[number] = 'CBD Products'
const renamed = (choice: string): string => (choice === 'CBD' ? cbd : choice)

export const choicesOf = (interests: readonly string[]): string[] => interestChoices.filter((choice) => interests.includes(renamed(choice)))

/** The profile's interests after choosing. Interests that the page doesn't offer are kept. */
export function withChoices(interests: readonly string[], chosen: readonly string[]): string[] {
  const offered = interestChoices.map(renamed)
  return [
    ...interests.filter((interest) => !offered.includes(interest)),
    ...interestChoices.filter((choice) => chosen.includes(choice)).map(renamed),
  ]
}
