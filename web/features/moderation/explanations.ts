import { type DecisionReason, decisionReasons } from '../../../contracts/moderation.ts'

/** What a moderator begins from when they say why: the rule in words for whoever broke it. The rest is theirs to write. */
export const explanationStarts: Record<DecisionReason, string> = {
  minors: 'It shows or addresses people under age, or could appeal to them. Nothing here may.',
  intimate_image: 'It shows somebody in private without their consent.',
  illegal_sale: 'It offers or asks for a sale. Nothing is sold here, neither in public nor by message.',
  harassment: 'It attacks or demeans somebody. Argue about things, not about people.',
  health_claim: 'It says that cannabis treats, prevents or cures something. Nobody may say that here.',
  false_information: 'It says something about a person, a business or a product that is not true.',
  spam: 'It advertises where nobody asked for it, or says the same again and again.',
  community_rules: 'It is against the rules of this community.',
  other: '',
}

/** The explanation once another reason is chosen: words of one's own stay, a beginning that nobody changed gives way. */
export function explanationFor(reason: DecisionReason, written: string): string {
  const isUntouched = written.trim() === '' || decisionReasons.some((each) => explanationStarts[each] === written)
  return isUntouched ? explanationStarts[reason] : written
}
