/** Fictional people. The first two are listed in the README; all have the same password. */
export const demoPassword = 'sunlit greenhouse morning'

export type DemoPerson = {
  key: string
  firstName: string
  lastName: string
  birthday: string
  userType: 'consumer' | 'business'
  location: string
  bio: string
  interests: string[]
}

/** The address of a demo account. The domain exists nowhere (RFC 2606), so no mail ever reaches anybody. */
export const demoEmail = (person: Pick<DemoPerson, 'key'>): string => `${person.key}@demo.sungrove.example`

export const demoPeople: DemoPerson[] = [
  {
    key: 'robin',
    firstName: 'Robin',
    lastName: 'Alvarez',
    birthday: '1991-05-14',
    userType: 'consumer',
    location: 'Denver, CO',
    bio: 'I like to know who grew it. Mostly old landraces and small farms.',
    interests: ['Flower', 'Growing Tips'],
  },
  {
    key: 'maya',
    firstName: 'Maya',
    lastName: 'Lindqvist',
    birthday: '1984-09-02',
    userType: 'business',
    location: 'Longmont, CO',
    bio: 'Second-generation vegetable grower, first-generation cannabis grower.',
    interests: ['Growing Tips', 'Industry News'],
  },
  {
    key: 'theo',
    firstName: 'Theo',
    lastName: 'Okafor',
    birthday: '1979-01-23',
    userType: 'business',
    location: 'Portland, OR',
    bio: 'Runs a shop with a long counter and a longer shelf of books.',
    interests: ['Concentrates', 'Industry News'],
  },
  {
    key: 'june',
    firstName: 'June',
    lastName: 'Park',
    birthday: '1995-11-30',
    userType: 'consumer',
    location: 'Portland, OR',
    bio: 'Rosin, rainy walks, and a very patient dog.',
    interests: ['Concentrates', 'Edibles'],
  },
  {
    key: 'walt',
    firstName: 'Walt',
    lastName: 'Brennan',
    birthday: '1958-03-08',
    userType: 'consumer',
    location: 'Burlington, VT',
    bio: 'Retired orchard hand. I grow four plants a year and talk about them for twelve months.',
    interests: ['Growing Tips', 'Topicals'],
  },
  {
    key: 'inez',
    firstName: 'Inez',
    lastName: 'Duarte',
    birthday: '1988-07-19',
    userType: 'consumer',
    location: 'Las Vegas, NV',
    bio: 'Night-shift nurse, day-time gardener.',
    interests: ['Edibles', 'Topicals', 'CBD Products'],
  },
  {
    key: 'sam',
    firstName: 'Sam',
    lastName: 'Whitaker',
    birthday: '1999-12-05',
    userType: 'consumer',
    location: 'Denver, CO',
    bio: 'Glass collector with too few shelves.',
    interests: ['Accessories', 'Flower'],
  },
  {
    key: 'priya',
    firstName: 'Priya',
    lastName: 'Raman',
    birthday: '1992-02-17',
    userType: 'consumer',
    location: 'Chicago, IL',
    bio: 'I read the lab report before the label.',
    interests: ['Flower', 'Edibles', 'Industry News'],
  },
  {
    key: 'otis',
    firstName: 'Otis',
    lastName: 'Greer',
    birthday: '1970-10-11',
    userType: 'consumer',
    location: 'Anchorage, AK',
    bio: 'Six weeks of summer, all of them in the greenhouse.',
    interests: ['Growing Tips'],
  },
]
