import type { Brand } from './brand.ts'
import { businessPlans, businessToolsPlan, freeAllowance } from './business-plans.ts'
import type { HelpText } from './help-texts.ts'
import { formatMonthlyPrice } from './plans.ts'

const costs = businessPlans.map(({ name, monthlyCents }) => `${name} costs ${formatMonthlyPrice(monthlyCents)} a month`).join(', ')

/** What businesses should know; see `help-texts.ts`. */
export const businessResources = (brand: Pick<Brand, 'name' | 'slug'>): HelpText => ({
  path: '/resources',
  title: 'Business resources',
  lead: `How to be found on ${brand.name}, what it costs, and what is checked.`,
  sections: [
    {
      id: 'listed',
      title: 'You may be listed already',
      blocks: [
        {
          text: 'The directory starts from the public license registers of 18 states. A listing that nobody has taken over says so on its page. Look for yours before you register: type its name or its city into the search box.',
        },
        {
          text: 'If it is there, claim it there. We send a code to the contact in the register, or someone from our team reviews your claim. We ask for proof before anything changes hands.',
        },
      ],
    },
    {
      id: 'register',
      title: 'Register your business',
      blocks: [
        {
          text: '[Registration](/business/register) takes four short steps: the kind of account, your birthday, yourself and your business. It is open to farms, dispensaries, smoke shops, glass shops, food service, delivery and whoever else supports the trade.',
        },
        {
          text: 'Your page shows what you fill in right away: name, place, description, phone and website. A farm’s street is never published. A license number that a listing already has leads you to claim that listing. A page with the same name in the same city goes to our team as a possible duplicate.',
        },
      ],
    },
    {
      id: 'licenses',
      title: 'Licenses',
      blocks: [
        {
          text: 'Enter your license on the [license page](/business-dashboard/license) of the dashboard, as it appears on the license. Number, state, name and type have to match the register. Anyone can read the register, so you also prove that you control the license: with a code sent to the website or phone number in the register, or with the license as a PDF, which two members of our team review. If you claimed your listing with such a code, that’s your proof. Until then your page shows no badge for it.',
        },
        {
          text: 'A verified license can’t be bought. It ends when the license expires or the register no longer lists it as active. The gold badge “Verified” takes a plan that includes it and a verified license. [Where the data comes from](/data) explains how we read the registers.',
        },
      ],
    },
    {
      id: 'menus',
      title: 'Menus',
      blocks: [
        {
          text: `Add products in the [menu editor](/business-dashboard/menu), one by one, or import a spreadsheet: a CSV file with name, category, price and description. ${freeAllowance.menuItems} menu items belong to every free business. Products are shown to viewers of the age that the law of your place asks for.`,
        },
      ],
    },
    {
      id: 'hours',
      title: 'Locations and opening hours',
      blocks: [
        {
          text: `On the Locations tab of the [dashboard](/business-dashboard) you add places, their opening hours and special days, in the time of the place. ${freeAllowance.locations} locations are free.`,
        },
      ],
    },
    {
      id: 'events',
      title: 'Events',
      blocks: [
        {
          text: 'Publish a date, a place and who it’s for on the [events page](/business-dashboard/events) of the dashboard: everyone, your subscribers, or members with the VIP plan. Events are advertising, which takes a verified license. Followers hear of a new event once; people who RSVP get a reminder, and hear if you change or cancel it. A farm’s event shows its city; name a venue if people should come somewhere else.',
        },
      ],
    },
    {
      id: 'team',
      title: 'Team',
      blocks: [
        {
          text: 'Invite your staff by email on the [team page](/business-dashboard/team). Managers keep the page, the posts, the menu and the license, and invite staff; staff write posts, publish events and keep the menu. The owner alone buys plans, invites managers and hands the business over.',
        },
      ],
    },
    {
      id: 'analytics',
      title: 'Analytics',
      blocks: [
        {
          text: 'The Overview of the [dashboard](/business-dashboard) shows followers, subscribers, ratings and visits. Visits are counted without knowing who made them, and fewer than five visitors are never shown as a number.',
        },
      ],
    },
    {
      id: 'free',
      title: 'What is free',
      blocks: [
        { text: 'Every business has this without paying, and keeps it:' },
        {
          list: [
            'a profile in the directory and on the map',
            'ratings and reviews',
            `${freeAllowance.menuItems} menu items and ${freeAllowance.locations} locations`,
            'basic notifications',
          ],
        },
      ],
    },
    {
      id: 'tools',
      title: 'What plans for businesses cost and add',
      blocks: [
        { text: `Business Tools cost ${formatMonthlyPrice(businessToolsPlan.monthlyCents)} per month and add:` },
        { list: businessToolsPlan.features },
        {
          text: `${costs}. The owner buys a plan on the [plans page](/${brand.slug}) or on the Business Tools tab of the business’s page, and cancels it under [Billing](/billing), where a canceled plan can be resumed until it ends.`,
        },
      ],
    },
    {
      id: 'rank',
      title: 'How the list is ranked',
      blocks: [
        {
          text: 'By ratings, then by distance from the visitor’s city. A new business starts in the middle, not at the bottom. No plan moves a listing up the list, and none ever will.',
        },
      ],
    },
  ],
})
