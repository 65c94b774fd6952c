import type { AccountState, PaymentAccounts } from '../../../contracts/payment-accounts.ts'
import { formatNumber } from '../../lib/format.ts'
import { dayOf } from './agreement-words.ts'

type PayPal = NonNullable<PaymentAccounts['paypal']>
type Words = { badge: string; tone: 'leaf' | 'clay' | 'neutral'; text: string | null; isBroken: boolean }

/** How a connected account stands, in a word and, where there is something to do or to know, in a sentence. */
export function accountWords({ state, failingSince }: { state: AccountState; failingSince?: PayPal['failingSince'] }): Words {
  const since = failingSince ? ` since ${dayOf(failingSince)}` : ''
  switch (state) {
    case 'working':
      return { badge: 'Connected', tone: 'leaf', text: null, isBroken: false }
    case 'silent':
      return {
        badge: 'No answer',
        tone: 'neutral',
        text: `PayPal has not answered${since}. Nothing is lost: it is asked again every night.`,
        isBroken: false,
      }
    case 'refused':
      return {
        badge: 'Connect again',
        tone: 'clay',
        text: `PayPal has not accepted these keys${since}. Nobody new can subscribe at your price until you connect the account again.`,
        isBroken: true,
      }
    case 'unreadable':
      return {
        badge: 'Connect again',
        tone: 'clay',
        text: 'The stored key cannot be read any more, because this server’s own secret was changed. Connect the account again.',
        isBroken: true,
      }
    case 'former_owner':
      return {
        badge: 'Former owner’s',
        tone: 'clay',
        text: 'Somebody who does not own this business any more connected it, so it takes no new subscribers. Connect your own.',
        isBroken: true,
      }
  }
}

/** "1 person pays", "3 people pay". */
export const peoplePay = (count: number): string => (count === 1 ? '1 person pays' : `${formatNumber(count)} people pay`)
