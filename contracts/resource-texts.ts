import type { Brand } from './brand.ts'
import { businessPlans, businessToolsPlan, freeAllowance, maxGalleryPhotos } from './business-plans.ts'
import type { HelpText } from './help-texts.ts'
import { formatMonthlyPrice } from './plans.ts'

const costs = businessPlans.map(({ name, monthlyCents }) => `${name} costs ${formatMonthlyPrice(monthlyCents)} a month`).join(', and ')

export const businessResources = (brand: Pick<Brand, 'name' | 'slug'>): HelpText => ({
  path: '/resources',
  title: 'Business resources',
  lead: `How to be found on ${brand.name}, what it costs and what we check.`,
  sections: [
    {
      id: 'listed',
      title: 'You may already be listed',
      blocks: [
        {
          text: 'The directory is built from the public license registers of 19 states. An unclaimed listing says so on its page. Before you register, search for yours by name or city.',
        },
        {
          text: 'If it’s there, claim it. We send a code to the contact in the register, or someone from our team reviews your claim. We ask for proof before anything changes hands.',
        },
      ],
    },
    {
      id: 'register',
      title: 'Register your business',
      blocks: [
        {
          text: '[Registration](/business/register) takes four short steps: account type, birthday, profile and business. It’s open to farms, dispensaries, smoke shops, glass shops, food service, delivery and other businesses that support the trade.',
        },
        {
          text: 'What you enter appears on your page right away: name, location, description, phone and website. We never publish a farm’s street. If a listing already has your license number, we’ll send you to claim it. If another page has the same name in the same city, our team checks whether yours is a duplicate.',
        },
      ],
    },
    {
      id: 'licenses',
      title: 'Licenses',
      blocks: [
        {
          text: 'Enter your license on the dashboard’s [license page](/business-dashboard/license), exactly as it appears on the document. We compare the number, state, name and type with the register. Because anyone can read the register, you also prove that you control the license: with a code that we email to an address at the website in the register or read out on a call to its phone number, or with the license as a PDF, which two members of our team review. If something doesn’t match, we need the PDF. If you claimed your listing with such a code, that’s your proof. Your page shows no badge until the license is verified.',
        },
        {
          text: 'Verification can’t be bought. It ends when the license expires or the register no longer lists it as active. The gold badge “Verified” requires a verified license and a plan that includes the badge. [Where the data comes from](/data) explains how we read the registers.',
        },
      ],
    },
    {
      id: 'photos',
      title: 'Logo, amenities, photos and social links',
      blocks: [
        {
          text: 'A logo, a cover picture and amenities, such as an ATM or wheelchair access, are free. Add them in the [page editor](/business-dashboard/profile).',
        },
        {
          text: `With Verified or Pro Partner, your page also shows up to ${maxGalleryPhotos} photos, a short video and links to your social pages. Add them in the same editor, and describe each photo for people who can’t see it. If the plan ends, we keep everything but stop showing it until you have a plan again.`,
        },
      ],
    },
    {
      id: 'menus',
      title: 'Menus',
      blocks: [
        {
          text: `Add products in the [menu editor](/business-dashboard/menu) one by one, or import a spreadsheet: a CSV or Excel file with name, category, price and description. Every free business gets ${freeAllowance.menuItems} menu items. Viewers below the legal age where you are won’t see your products.`,
        },
        {
          text: 'If your point of sale can send its menu or publish it at a URL, your menu here can stay up to date automatically: see Connections in the menu editor. We’ve written setup details [for developers](/developers).',
        },
      ],
    },
    {
      id: 'hours',
      title: 'Locations and opening hours',
      blocks: [
        {
          text: `On the Locations tab of the [dashboard](/business-dashboard), add your locations with their opening hours and special days, in local time. ${freeAllowance.locations} locations are free.`,
        },
      ],
    },
    {
      id: 'events',
      title: 'Events',
      blocks: [
        {
          text: 'Publish events on the dashboard’s [events page](/business-dashboard/events), for everyone, your subscribers or members with the VIP plan. Events count as advertising, so they need a verified license. We notify followers of a new event once. People who RSVP get a reminder, and we let them know if you change or cancel it. A farm’s event shows only its city, unless you enter a venue somewhere else.',
        },
      ],
    },
    {
      id: 'closing',
      title: 'Closures, moves and duplicate listings',
      blocks: [
        {
          text: 'If you’ve moved, change the address under [Locations](/business-dashboard?tab=locations). For everything else here, open the [page editor](/business-dashboard/profile). If you’re about to move, use “Plan a move”: your page shows both addresses until the day you move, and search and the map update on their own. To close for a while or for good, use “Close this business” at the bottom of the editor: your business’s page stays up with a notice, and you can reopen at any time. If a business has two pages, merge one into the other.',
        },
      ],
    },
    {
      id: 'team',
      title: 'Team',
      blocks: [
        {
          text: 'Invite your staff by email on the [team page](/business-dashboard/team). Managers edit the page, the posts, the menu and the license, and invite staff. Staff write posts, publish events and edit the menu. Only the owner can buy plans, invite managers and transfer the business.',
        },
        {
          text: 'If you own several shops, group them under [All shops](/business-dashboard/groups). One page shows what each shop needs. You can copy hours between them, give people a role at all of them and import one file into several menus. Each shop keeps its own plan.',
        },
      ],
    },
    {
      id: 'analytics',
      title: 'Analytics',
      blocks: [
        {
          text: 'The Overview tab of the [dashboard](/business-dashboard) shows followers, subscribers, ratings and visits. We count visits without knowing who made them, and never show a count of fewer than five visitors. Sources, top products and top posts appear once at least 60 people have visited.',
        },
      ],
    },
    {
      id: 'free',
      title: 'What is free',
      blocks: [
        { text: 'Every business gets this for free:' },
        {
          list: [
            'a profile in the directory and on the map, with logo, cover, hours and amenities',
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
        { text: `Business Tools costs ${formatMonthlyPrice(businessToolsPlan.monthlyCents)} a month and adds:` },
        { list: businessToolsPlan.features },
        {
          text: `${costs}. The owner buys a plan on the [plans page](/${brand.slug}) or on the Business Tools tab of the business’s page, and cancels it under [Billing](/billing). A canceled plan can be resumed until it ends.`,
        },
      ],
    },
    {
      id: 'rank',
      title: 'How the list is ranked',
      blocks: [
        {
          text: 'By rating, then by license, then by distance from the visitor’s city. A new business starts in the middle, not at the bottom.',
        },
      ],
    },
  ],
})
