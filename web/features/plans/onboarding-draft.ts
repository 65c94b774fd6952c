import * as z from 'zod/mini'
import { AccountType } from '../../../contracts/accounts.ts'
import type { interestOptions } from '../../../contracts/personal-profile.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import type { Bought } from '../billing/purchase-step.ts'

const Draft = z.object({
  agreementId: z.string(),
  planName: z.string(),
  /** The business the plan was bought for; null when it is named here. */
  business: z.nullable(z.object({ id: z.string(), name: z.string() })),
  step: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  isOver18: z.boolean(),
  userType: z.nullable(AccountType),
})
/** How far the wizard after a purchase is. What is typed into its forms is kept beside it. */
export type OnboardingDraft = z.infer<typeof Draft>

type Named = { id: string; name: string }

/** The first step after a purchase. */
export const startOnboarding = (bought: Pick<Bought, 'agreementId'>, planName: string, business: Named | null): OnboardingDraft => ({
  agreementId: bought.agreementId,
  planName,
  business: business && { id: business.id, name: business.name },
  step: 1,
  isOver18: false,
  userType: null,
})

/** Whether Continue can be pressed. */
export const canContinue = ({ step, isOver18, userType }: OnboardingDraft): boolean => (step === 1 ? isOver18 : userType !== null)

const key = (userId: string) => `plans-onboarding.${userId}`

/** The wizard that a reload interrupted. People can edit the storage: what is not a draft is none. */
export function recallOnboarding(userId: string): OnboardingDraft | null {
  return Draft.safeParse(recall(key(userId))).data ?? null
}

export function keepOnboarding(userId: string, draft: OnboardingDraft | null): void {
  if (draft) remember(key(userId), draft)
  else forget(key(userId))
}

/** The interests of the plans page, in its words. */
export const interestChoices = ['Flower', 'Edibles', 'Concentrates', 'Topicals', 'CBD', 'Accessories'] as const

/** "CBD" is kept as what the profile calls "CBD Products", so that it is one interest. */
const cbd: (typeof interestOptions)[number] = 'CBD Products'
const kept = (choice: string): string => (choice === 'CBD' ? cbd : choice)

/** Which of the page's choices stand in a profile. */
export const choicesOf = (interests: readonly string[]): string[] => interestChoices.filter((choice) => interests.includes(kept(choice)))

/** The profile's interests after the choice: what the page does not offer stays. */
export function withChoices(interests: readonly string[], chosen: readonly string[]): string[] {
  const offered = interestChoices.map(kept)
  return [
    ...interests.filter((interest) => !offered.includes(interest)),
    ...interestChoices.filter((choice) => chosen.includes(choice)).map(kept),
  ]
}
