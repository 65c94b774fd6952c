import { type DecisionReason, decisionReasons } from '#contracts/moderation.ts'

/** Starting points of explanations: the rule in plain words for the author. Moderators add the rest. */
export const explanationStarts: Record<DecisionReason, string> = {
  minors: 'It shows or addresses minors, or could appeal to them. That isn’t allowed here.',
  intimate_image: 'It shows someone in private without their consent.',
  illegal_sale: 'It offers or asks for a sale. Nothing is sold here, publicly or by message.',
  harassment: 'It attacks or demeans someone. Argue about things, not people.',
  health_claim: 'It claims that cannabis treats, prevents or cures something. No one may claim that here.',
  false_information: 'It makes a false statement about a person, a business or a product.',
  spam: 'It’s unwanted advertising or repeated content.',
  community_rules: 'It breaks this community’s rules.',
  other: '',
}

/** The explanation after switching reasons: replaces an unchanged starting point and keeps edited text. */
export function explanationFor(reason: DecisionReason, written: string): string {
  const isUntouched = written.trim() === '' || decisionReasons.some((each) => explanationStarts[each] === written)
  return isUntouched ? explanationStarts[reason] : written
}
