import { businessToolsPlan } from '../../../contracts/business-plans.ts'
import { formatMonthlyPrice, memberPlans } from '../../../contracts/plans.ts'

type PlanNotes = {
  /** What the plan's lines mean. */
  details: readonly string[]
  /** What the payer must know before paying. */
  notice: string
}

const priceOf = (id: string) => formatMonthlyPrice(memberPlans.find((plan) => plan.id === id)?.monthlyCents ?? 0)
const tools = `${businessToolsPlan.name} (${formatMonthlyPrice(businessToolsPlan.monthlyCents)})`

/** What is said of the plans for people before they pay. Their lines are the specification's; these say what they deliver. */
export const planNotes: Readonly<Record<string, PlanNotes>> = {
  starter: {
    details: [
      'Unlimited menu items for one business that you own. You choose it, and can move the plan to another one every 30 days.',
      'New items and lower prices at businesses you follow, in your notifications and your email digest.',
      'Communities are free for everyone.',
    ],
    notice: `Starter needs a business that you own. ${tools} lifts the same limit and adds locations, subscriptions and analytics.`,
  },
  pro: {
    details: [
      'Following businesses is free for everyone.',
      'Exclusive posts and subscriber prices of every business that asks no price of its own. You can also subscribe to those businesses one by one, for free.',
      'New menu items at businesses you follow, a day before other followers hear of them.',
    ],
    notice: `VIP includes all of this for ${priceOf('vip')}.`,
  },
  vip: {
    details: [
      'Everything in Pro: exclusive posts and subscriber prices of every business that asks no price of its own, and news of menu items a day early.',
      'Message any business directly.',
      'Events that businesses open to VIPs.',
      'Your support requests are answered first.',
    ],
    notice: 'Businesses with a price of their own are not included. Subscribe to them on their pages.',
  },
}
