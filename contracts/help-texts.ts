import type { Brand } from './brand.ts'

/** A part of a text: a question, a paragraph, a list. `[words](/page#part)` is a link in it, `[words](mail:Subject)` a mail to support. */
export type HelpBlock = { heading: string } | { text: string } | { list: readonly string[] }
export type HelpSection = { id: string; title: string; blocks: readonly HelpBlock[] }
export type HelpText = { path: '/help' | '/resources' | '/guidelines'; title: string; lead: string; sections: readonly HelpSection[] }

/** What the help center says. The page shows it, and the guide answers from it: one text for both. */
export const helpCenter = (brand: Pick<Brand, 'name'>): HelpText => ({
  path: '/help',
  title: 'Help center',
  lead: 'Short answers to what people ask most.',
  sections: [
    {
      id: 'start',
      title: 'Getting started',
      blocks: [
        { heading: `Who may use ${brand.name}?` },
        {
          text: 'Everybody of 18 years or more. Products and promotions of a business are shown from the age that the law of its place asks for, which is 21 for adult use in the United States.',
        },
        { heading: 'Why do you ask for my birthday?' },
        { text: 'To know both of those ages on the day. Nobody else sees it.' },
        { heading: 'Which account do I need?' },
        {
          text: 'A personal account, to find places and keep them. A business account, to list a business of your own: see [business resources](/resources). Both are free.',
        },
        { heading: 'Is there an app?' },
        {
          text: 'The website is the app: choose “Install” or “Add to Home Screen” in your browser’s menu. Growing screens work without a network, and send what you wrote once there is one.',
        },
      ],
    },
    {
      id: 'find',
      title: 'Finding a place',
      blocks: [
        { heading: 'How do I search?' },
        {
          text: 'Type a name, a city or a ZIP code into the search box. A place also finds what is near it. Filters narrow the list to farms, dispensaries or other trades; the map shows the same results.',
        },
        { heading: 'How are results ranked?' },
        {
          text: 'By ratings, then by license, then by distance. One rating moves a business only a little, so many visitors count for more than one friend. Among equals, a verified license ranks above a register entry, and a register entry above neither. No plan or payment moves a listing up.',
        },
        { heading: 'What do the license badges mean?' },
        {
          text: '“In the register” means that the state’s public register listed the license on the day we read it. “License verified” means that the business also proved it controls the license: with a code sent to the contact in the register, or with a document that two members of our team reviewed. The business page shows the number, the source, the date and the expiry. [Where the data comes from](/data) explains more.',
        },
        { heading: 'Why is a farm’s pin in the middle of its city?' },
        { text: 'On purpose. Where plants grow is nobody’s business, so a farm is never placed more exactly than its city.' },
      ],
    },
    {
      id: 'keep',
      title: 'Follow, favorite, subscribe',
      blocks: [
        { heading: 'How do I follow a business or a person?' },
        { text: 'Press Follow on its page. Following is free, and what it posts comes into your feed on Home.' },
        { heading: 'How do I keep a place?' },
        {
          text: 'Press the heart on its card or its page. Your [favorites](/favorites) are on a page of their own, newest first, and only you see them.',
        },
        { heading: 'What does subscribing do?' },
        {
          text: 'Posts that a business keeps for its subscribers open for you. Most subscriptions are free; where a business asks for a price, its page says so before anything is bought. You can cancel a subscription on the same page at any time: it stays active to the end of the paid month, and you can resume it until then. Your plans and receipts are under [Billing](/billing) in your account’s menu, and every payment, cancellation and refund is confirmed by email.',
        },
        { heading: 'What is the difference between following and subscribing?' },
        { text: 'Following fills your feed. Subscribing does that too, and opens posts and prices that are for subscribers alone.' },
        { heading: 'How do I find events, and say that I’m coming?' },
        {
          text: 'A business shows its upcoming events on its page, and Home shows those of businesses you follow. Open one and press RSVP: the team sees your name, everyone else only how many are going. You’ll get a reminder the day before, and hear if anything changes. “Add to calendar” saves it to your own calendar. Some events are for subscribers or for members with the VIP plan.',
        },
      ],
    },
    {
      id: 'write',
      title: 'Posts, reviews and communities',
      blocks: [
        { heading: 'How do I write a post?' },
        {
          text: 'Press Post. Photos, a short video, a place and tags can go with it. You can keep it for later or schedule it; who writes for a business finds both on the Social tab of the dashboard. In the menu of a post of yours you edit or delete it.',
        },
        { heading: 'How do I write a review?' },
        {
          text: 'On the Reviews tab of a business that you visited: stars, and words if you like. One review a person; you can change or delete it there, and the owner can answer.',
        },
        { heading: 'How do I find a community?' },
        {
          text: '[Communities](/communities) are sorted by subject: growing, strains, medical, business and general. Open ones you join at once, others after an invitation. You leave on the same page.',
        },
        { heading: 'Why was what I wrote held?' },
        {
          text: 'Filters look for what the [guidelines](/guidelines#held) name, and a moderator looks at what they find before others see it. You read why under what you wrote, and in [your standing](/standing) what the moderator decided.',
        },
        { heading: 'How do I report or block somebody?' },
        {
          text: 'Choose Report or Block in the menu of a post, a comment, a review, a message or a person. Whoever is blocked is not told, and neither of you sees the other any more; [blocked people](/blocked) lists them.',
        },
      ],
    },
    {
      id: 'messages',
      title: 'Messages and notifications',
      blocks: [
        { heading: 'How do I write a message?' },
        {
          text: 'Press Message on a person’s or a business’s page. From somebody you do not follow it arrives as a request. Filters do not read private messages.',
        },
        { heading: 'Where do I change what I am notified of?' },
        {
          text: 'Under [notification preferences](/notifications/preferences): by subject, on the site, by mail or push, and with quiet hours.',
        },
      ],
    },
    {
      id: 'growing',
      title: 'Pheno hunts',
      blocks: [
        { heading: 'What is a pheno hunt?' },
        {
          text: 'Growing many seeds of a cross to find the one plant worth keeping. [Pheno Hunter Pro](/pheno-hunt) keeps its plants, logs, traits, lab results and photos, and ranks the candidates by what you weigh.',
        },
        { heading: 'How do I start a hunt?' },
        {
          text: 'Choose New Hunt, name it, and say how many seeds. Plants and their labels are made for you; the log and the data tracker do the rest.',
        },
        { heading: 'Who sees my hunt?' },
        { text: 'Nobody but you, until you share it with people or make it public. It never shows where you grow.' },
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      blocks: [
        { heading: 'I forgot my password' },
        {
          text: 'Choose “Forgot your password?” where you sign in. A link to set a new one is mailed to you; it works once, within an hour, and signs out every device.',
        },
        { heading: 'The mail does not arrive' },
        {
          text: 'Look into the spam folder, and check that you typed the address you registered with. The subject says nothing about cannabis.',
        },
        { heading: 'How do I change my password, my email address or my profile?' },
        { text: 'In [Settings](/settings): your profile, who sees it, notifications, signing in and units each have a section there.' },
        { heading: 'I want a copy of my data, or to delete my account' },
        {
          text: 'Both are under Your data in [Settings](/settings#data). If you cannot sign in, write to [support](mail:My account) from the address of your account. Never send your password; we do not need it.',
        },
        { heading: 'Who sees my profile?' },
        {
          text: 'Others see your name on what you write. City, bio and interests are shown only if you make your profile public. Your email address and birthday are shown to nobody.',
        },
      ],
    },
    {
      id: 'guide',
      title: 'The guide',
      blocks: [
        { heading: 'What does the guide know?' },
        {
          text: 'This help, and the businesses, communities and strains that you could find yourself. It names where each answer comes from, says nothing about health, doses or law, and keeps no questions.',
        },
        { heading: 'I put the guide away. How do I get it back?' },
        { text: 'Choose Guide in your account’s menu.' },
      ],
    },
    {
      id: 'wrong',
      title: 'Something is wrong',
      blocks: [
        { heading: 'A listing has an error' },
        {
          text: '[Tell us what is wrong](/data#errors) and how you know. A link to the license or to the website of the business helps most.',
        },
        { heading: 'Somebody breaks the rules' },
        {
          text: 'Report it where it stands, or send us the address of the page. The rules are in the [community guidelines](/guidelines).',
        },
        { heading: 'Something else' },
        { text: '[Contact us](/contact); a person reads it.' },
      ],
    },
  ],
})
