import { brand } from '../../lib/boot.ts'
import { PublicPage, type PublicSection } from './public-page.tsx'
import { OutsideLink, PageLink, SupportMail } from './text-links.tsx'

const sections: PublicSection[] = [
  {
    id: 'licenses',
    title: 'Licenses',
    body: (
      <>
        <p>
          The directory starts from 9,253 license records of 18 states: Alaska, Arizona, Colorado, Connecticut, Delaware, Illinois,
          Maryland, Massachusetts, Michigan, Missouri, Nevada, New Jersey, New Mexico, New York, Oregon, Rhode Island, Vermont and
          Washington. They were published by the states’ regulators and collected by{' '}
          <OutsideLink href="https://cannlytics.com">Cannlytics</OutsideLink>, whose collection is under the MIT license.
        </p>
        <p>
          Most registers were read between April 30 and September 20, 2023. Each listing shows the day of its own record; Massachusetts
          gives none. A license may have changed since. The operator of this server can load a newer file at any time.
        </p>
        <p>Names of people, email addresses and tax numbers were removed before anything was stored.</p>
      </>
    ),
  },
  {
    id: 'listings',
    title: 'From licenses to listings',
    body: (
      <ul>
        <li>Farms, dispensaries, delivery services and others with a place become listings that nobody has taken over yet.</li>
        <li>Several licenses of one business at one place make one listing.</li>
        <li>A record without a place makes no listing. It is kept for checking licenses.</li>
        <li>What an owner has edited is not overwritten by a newer file.</li>
        <li>A license that is missing from a newer file is marked so, and not deleted.</li>
      </ul>
    ),
  },
  {
    id: 'matching',
    title: 'How licenses are matched',
    body: (
      <>
        <p>A listing made from a register shows its licenses with their number, authority, source and date.</p>
        <p>
          A license that an owner enters has to match a record of the register in number, state, name and type. Anyone can read the
          register, so the owner also proves control of the license: with a code sent to the contact in the register, or with a document
          that two members of our team review. Until then the page shows no license for it.
        </p>
        <p>
          “In the register” means that a license is listed and that its status there is in good standing. “License verified” means that the
          business proved control of it here and that it has not expired. A license that is suspended, void or not operating is shown as not
          active.
        </p>
      </>
    ),
  },
  {
    id: 'places',
    title: 'Places and maps',
    body: (
      <>
        <p>
          A pin stands at the premises where the register gives them, else at the center of the ZIP code or city. Coordinates that lie in
          another state, or far from their ZIP code, are replaced by its center. A farm’s pin is never finer than its city.
        </p>
        <p>
          Cities and ZIP codes come from <OutsideLink href="https://www.geonames.org">GeoNames</OutsideLink> (
          <OutsideLink href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</OutsideLink>), changed: only the United States, merged
          and corrected with data of the US Census Bureau. State and county lines are the Census Bureau’s, in the form of{' '}
          <OutsideLink href="https://github.com/topojson/us-atlas">us-atlas</OutsideLink>. Data of the Census Bureau is in the public
          domain.
        </p>
      </>
    ),
  },
  {
    id: 'strains',
    title: 'Strains and products',
    body: (
      <p>
        Names of strains and products, where they are used, are from the{' '}
        <OutsideLink href="https://github.com/kushyapp/cannabis-dataset">Kushy cannabis data set</OutsideLink> of November 14, 2017 (MIT
        license). Medical claims, descriptions and pictures were removed.
      </p>
    ),
  },
  {
    id: 'ages',
    title: 'Ages',
    body: (
      <p>
        From which age products are shown follows a table of the law of each state and country. It names its statutes and the day it was
        made, and is no legal advice. Where a place is not in it, the strictest age applies.
      </p>
    ),
  },
  {
    id: 'people',
    title: 'Ratings, posts and demo content',
    body: (
      <p>
        Ratings and posts come from people with an account here, never from elsewhere, and a real business shows none that nobody wrote.
        Fictional businesses, which a server may show to try things out, are marked as demo.
      </p>
    ),
  },
  {
    id: 'errors',
    title: 'Report an error',
    body: (
      <>
        <p>
          Write to <SupportMail subject="A listing is wrong" /> with the address of the page, what is wrong, and where we can see what is
          right. A link to the state’s register is best.
        </p>
        <p>
          If it is your own business, <PageLink to="/resources">business resources</PageLink> tells how to take over its listing.
        </p>
      </>
    ),
  },
]

export function DataPage() {
  return (
    <PublicPage
      title="Where the data comes from"
      lead={`${brand.name} shows where each fact was taken from and how old it is. These are the sources, with our thanks.`}
      sections={sections}
    />
  )
}
