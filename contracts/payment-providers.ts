type Description = {
  label: string
  /** Shown to people who choose how to pay. */
  choice: string
  receiptName: string
  /**
   * How people pay.
   * - `button`: they approve with the provider's own button, which its script adds to the page, and the provider charges them every month
   * - `invoice`: they pay later, and someone records each payment manually
   * - `test`: they approve in a window of this site, which is labeled as a test, and no money moves
   */
  kind: 'button' | 'invoice' | 'test'
  /** Time to approve a purchase or pay an invoice. A later approval still counts, because the payer has paid. */
  checkoutHours: number
  /** What a business enters to be paid directly. Null if the provider can pay only the site. */
  account: 'keys' | 'instructions' | null
  /** Where payers cancel at the provider if the server can't cancel for them. */
  cancelHint: string | null
}

/** All other code about a provider derives from this table or uses the same keys: see docs/changing.md. */
export const paymentProviders = {
  test: {
    label: 'Test mode',
    choice: 'Test payment',
    receiptName: 'Test provider',
    kind: 'test',
    checkoutHours: 24,
    account: null,
    cancelHint: null,
  },
  paypal: {
    label: 'PayPal',
    choice: 'PayPal',
    receiptName: 'PayPal',
    kind: 'button',
    checkoutHours: 24,
    account: 'keys',
    cancelHint: 'under Settings, Payments, Automatic payments',
  },
  invoice: {
    label: 'Invoice',
    choice: 'Invoice',
    receiptName: 'Invoice',
    kind: 'invoice',
    checkoutHours: 30 * 24,
    account: 'instructions',
    cancelHint: null,
  },
} as const satisfies Record<string, Description>

type Providers = typeof paymentProviders
type NamesOf<Part extends Partial<Description>> = {
  [Name in keyof Providers]: Providers[Name] extends Part ? Name : never
}[keyof Providers]

export type PaymentProviderName = keyof Providers
export type ButtonProvider = NamesOf<{ kind: 'button' }>
export type ChargingProvider = NamesOf<{ kind: 'button' | 'test' }>
/** Providers that can pay businesses directly. */
export type AccountProvider = NamesOf<{ account: 'keys' | 'instructions' }>
/** Account providers that businesses connect with keys. */
export type KeysProvider = NamesOf<{ account: 'keys' }>

export const paymentProviderNames = Object.keys(paymentProviders) as readonly PaymentProviderName[]

const describe = (name: PaymentProviderName): Description => paymentProviders[name]

export const isTest = (name: PaymentProviderName): boolean => describe(name).kind === 'test'
export const hasButton = (name: PaymentProviderName): name is ButtonProvider => describe(name).kind === 'button'
export const chargesItself = (name: PaymentProviderName): name is ChargingProvider => describe(name).kind !== 'invoice'
export const takesAccounts = (name: PaymentProviderName): name is AccountProvider => describe(name).account !== null
export const takesKeys = (name: PaymentProviderName): name is KeysProvider => describe(name).account === 'keys'

export function cancelThereToo(name: PaymentProviderName): string {
  const { label, cancelHint } = describe(name)
  return `We can’t stop the payments at ${label}. Cancel them there too${cancelHint ? `, ${cancelHint}` : ''}.`
}

export const buttonProviders = paymentProviderNames.filter(hasButton)
