import type { interestOptions } from '#contracts/choices.ts'

/**
 * The invented people of the demo content share this public password, so they must never exist on an instance with real people:
 * see `DEMO_DATA` in docs/configuration.md.
 */
export const demoPassword = 'a terrace in the morning sun'
export const demoEmailDomain = 'demo.sungrove.example'

export type DemoPerson = {
  key: string
  firstName: string
  lastName: string
  birthday: string
  userType: 'consumer' | 'business'
  location: string
  bio: string
  interests: (typeof interestOptions)[number][]
  isPublic: boolean
  joinedDaysAgo: number
}

/** Visitors sign in with one of these two accounts. */
export const demoConsumer = `wren@${demoEmailDomain}`
export const demoOwner = `marlow@${demoEmailDomain}`

export const demoPeople: DemoPerson[] = [
  {
    key: 'wren',
    firstName: 'Wren',
    lastName: 'Calloway',
    birthday: '1991-05-17',
    userType: 'consumer',
    location: 'Denver, CO',
    bio: 'Weekend cyclist. I like shops where someone tells me who grew it.',
    interests: ['Flower', 'Growing Tips'],
    isPublic: true,
    joinedDaysAgo: 210,
  },
  {
    key: 'marlow',
    firstName: 'Marlow',
    lastName: 'Quint',
    birthday: '1979-11-02',
    userType: 'business',
    location: 'Denver, CO',
    bio: 'I run two small shops and answer the phone myself.',
    interests: ['Industry News'],
    isPublic: true,
    joinedDaysAgo: 320,
  },
  {
    key: 'odile',
    firstName: 'Odile',
    lastName: 'Marchetti',
    birthday: '1984-03-29',
    userType: 'business',
    location: 'Portland, OR',
    bio: 'Grower, third season under the sun after ten under lamps.',
    interests: ['Growing Tips', 'Flower'],
    isPublic: true,
    joinedDaysAgo: 305,
  },
  {
    key: 'tobin',
    firstName: 'Tobin',
    lastName: 'Achterberg',
    birthday: '1972-08-14',
    userType: 'business',
    location: 'Ann Arbor, MI',
    bio: 'Glass at the torch since 1998.',
    interests: ['Accessories'],
    isPublic: true,
    joinedDaysAgo: 288,
  },
  {
    key: 'ines',
    firstName: 'Inés',
    lastName: 'Rademaker',
    birthday: '1988-01-08',
    userType: 'business',
    location: 'Northampton, MA',
    bio: 'Kitchen first, counter second.',
    interests: ['Edibles'],
    isPublic: true,
    joinedDaysAgo: 264,
  },
  {
    key: 'hollis',
    firstName: 'Hollis',
    lastName: 'Brandt',
    birthday: '1966-12-21',
    userType: 'consumer',
    location: 'Portland, OR',
    bio: 'Retired machinist, tomato grower, slow reader of labels.',
    interests: ['Growing Tips', 'Topicals'],
    isPublic: true,
    joinedDaysAgo: 190,
  },
  {
    key: 'yuki',
    firstName: 'Yuki',
    lastName: 'Tamblyn',
    birthday: '1995-07-30',
    userType: 'consumer',
    location: 'Ann Arbor, MI',
    bio: 'Ceramics, long walks, short lines.',
    interests: ['Accessories', 'Edibles'],
    isPublic: true,
    joinedDaysAgo: 150,
  },
  {
    key: 'desmond',
    firstName: 'Desmond',
    lastName: 'Okafor-Lind',
    birthday: '1982-10-11',
    userType: 'consumer',
    location: 'Boulder, CO',
    bio: '',
    interests: ['Flower', 'Concentrates'],
    isPublic: false,
    joinedDaysAgo: 120,
  },
  {
    key: 'priya',
    firstName: 'Priya',
    lastName: 'Venkataraman',
    birthday: '1990-02-25',
    userType: 'consumer',
    location: 'Northampton, MA',
    bio: 'I compare prices so you don’t have to.',
    interests: ['Edibles', 'Industry News'],
    isPublic: true,
    joinedDaysAgo: 95,
  },
  {
    key: 'lorne',
    firstName: 'Lorne',
    lastName: 'Petrakis',
    birthday: '1975-04-04',
    userType: 'consumer',
    location: 'Denver, CO',
    bio: 'Came for the glass, stayed for the people.',
    interests: ['Accessories', 'Flower'],
    isPublic: false,
    joinedDaysAgo: 60,
  },
  {
    key: 'sunniva',
    firstName: 'Sunniva',
    lastName: 'Aldercott',
    birthday: '1998-09-06',
    userType: 'consumer',
    location: 'Denver, CO',
    bio: 'First garden, second notebook. I ask a lot of questions.',
    interests: ['Growing Tips', 'Flower'],
    isPublic: true,
    joinedDaysAgo: 84,
  },
  {
    key: 'amadou',
    firstName: 'Amadou',
    lastName: 'Ferreira-Cole',
    birthday: '1987-06-19',
    userType: 'consumer',
    location: 'Evanston, IL',
    bio: 'Pastry cook by day. Small portions, large labels.',
    interests: ['Edibles', 'Accessories'],
    isPublic: true,
    joinedDaysAgo: 118,
  },
  {
    key: 'theo',
    firstName: 'Theo',
    lastName: 'Wexcombe',
    birthday: '1970-02-13',
    userType: 'consumer',
    location: 'Bellingham, WA',
    bio: 'I visit farms the way other people visit museums.',
    interests: ['Growing Tips', 'Industry News'],
    isPublic: true,
    joinedDaysAgo: 140,
  },
  {
    key: 'marisol',
    firstName: 'Marisol',
    lastName: 'Ketteridge',
    birthday: '1993-12-03',
    userType: 'consumer',
    location: 'Santa Fe, NM',
    bio: 'High desert, dry air, patient jars.',
    interests: ['Flower', 'Topicals'],
    isPublic: true,
    joinedDaysAgo: 101,
  },
]
