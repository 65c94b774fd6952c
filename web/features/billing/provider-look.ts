/** How the provider's button looks. The specification names two looks; both stand vertically and say "subscribe". */
export type ProviderLook = { shape: 'pill' | 'rect'; color: 'blue' | 'gold' }

const pillAndBlue: ProviderLook = { shape: 'pill', color: 'blue' }
const rectAndGold: ProviderLook = { shape: 'rect', color: 'gold' }

/** Verified: pill and blue. Pro Partner and everything else: rect and gold. */
export const lookOf = (planId: string | undefined): ProviderLook => (planId === 'verified' ? pillAndBlue : rectAndGold)
