/** Style of a payment button. The specification has two, both vertical with the label "subscribe". */
export type ProviderLook = { shape: 'pill' | 'rect'; color: 'blue' | 'gold' }

const pillAndBlue: ProviderLook = { shape: 'pill', color: 'blue' }
const rectAndGold: ProviderLook = { shape: 'rect', color: 'gold' }

/** Verified: pill and blue. Pro Partner and everything else: rect and gold. */
export const lookOf = (planId: string | undefined): ProviderLook => (planId === 'verified' ? pillAndBlue : rectAndGold)

/** The same style for our own button, for providers without one. */
export const buttonLook = ({ shape, color }: ProviderLook) => ({
  variant: color,
  className: shape === 'pill' ? 'w-full rounded-full!' : 'w-full',
})
