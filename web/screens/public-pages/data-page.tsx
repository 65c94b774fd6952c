import { brand } from '#web/lib/boot.ts'
import { OutsideLink, PageLink, PublicPage, type PublicSection, SupportMail } from './public-page.tsx'

const sections: PublicSection[] = [
  {
    id: 'licenses',
    title: 'Licenses',
    body: (
      <>
        <p>
          The directory starts with 11,288 license records from 19 states, all published by state regulators. The newer dispensary records
          come from the public repository <OutsideLink href="https://github.com/ptgold75/shelfintel">shelfintel</OutsideLink>, which
          retrieved those for California and New York in January 2026, and those for Maryland in January 2025.
        </p>
        <p>
          The other records were collected by <OutsideLink href="https://cannlytics.com">Cannlytics</OutsideLink>, whose collection is under
          the MIT license. Most were retrieved between April 30 and September 20, 2023: Alaska, Arizona, Colorado, Connecticut, Delaware,
          Illinois, Maryland, Massachusetts, Michigan, Missouri, Nevada, New Jersey, New Mexico, New York, Oregon, Rhode Island, Vermont and
          Washington.
        </p>
        <p>
          Each listing shows the date of its record, except in Massachusetts, which doesn’t provide dates. Licenses may have changed since.
          The operator of this server can load a newer file at any time.
        </p>
        <p>We removed people’s names, email addresses and tax numbers before storing anything.</p>
      </>
    ),
  },
  {
    id: 'listings',
    title: 'From licenses to listings',
    body: (
      <ul>
        <li>Farms, dispensaries, delivery services and other businesses with a location become listings that their owners can claim.</li>
        <li>Several licenses for one business at the same location become one listing.</li>
        <li>A record without a location doesn’t become a listing. We keep it to check licenses.</li>
        <li>A newer file doesn’t overwrite an owner’s edits.</li>
        <li>If a license is missing from a newer file, we mark it but don’t delete it.</li>
      </ul>
    ),
  },
  {
    id: 'matching',
    title: 'How licenses are matched',
    body: (
      <>
        <p>A listing from a register shows its licenses with their number, authority, source and date.</p>
        <p>
          A license that an owner enters must match a register record in number, state, name and type. Anyone can read the register, so the
          owner must also prove control of the license with a code sent to the contact in the register or with a document that two members
          of our team review. Until then, the page doesn’t show the license.
        </p>
        <p>
          “Licensed (state record)” means that the register lists the license with a status in good standing. “License verified” means that
          the business has proven here that it controls the license, and that the license hasn’t expired. A license that is suspended, void
          or not operating is shown as not active.
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
          A pin marks the premises if the register gives their coordinates. Otherwise, it marks the center of the ZIP code or city. If
          coordinates are in another state or far from their ZIP code, we use its center instead. A farm’s pin is never more precise than
          its city.
        </p>
        <p>
          Cities and ZIP codes come from <OutsideLink href="https://www.geonames.org">GeoNames</OutsideLink> (
          <OutsideLink href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</OutsideLink>), adapted: limited to the United States,
          merged and corrected with US Census Bureau data. State and county lines are also from the Census Bureau, from{' '}
          <OutsideLink href="https://github.com/topojson/us-atlas">us-atlas</OutsideLink>. Census Bureau data is in the public domain.
        </p>
        <p>
          Water, parks, built-up areas and neighboring countries on the map come from{' '}
          <OutsideLink href="https://www.naturalearthdata.com/">Natural Earth</OutsideLink>, which is in the public domain.
        </p>
      </>
    ),
  },
  {
    id: 'strains',
    title: 'Strains and products',
    body: (
      <p>
        Strain and product names are from the{' '}
        <OutsideLink href="https://github.com/kushyapp/cannabis-dataset">Kushy cannabis data set</OutsideLink> of November 14, 2017 (MIT
        license). We removed medical claims, descriptions and pictures.
      </p>
    ),
  },
  {
    id: 'ages',
    title: 'Ages',
    body: (
      <p>
        The minimum age for seeing products comes from a table of state and national laws. The table lists the statutes and the date it was
        made. It isn’t legal advice. If a place isn’t listed, the strictest age applies.
      </p>
    ),
  },
  {
    id: 'people',
    title: 'Ratings, posts and demo content',
    body: (
      <p>
        Ratings and posts come only from people with an account here. We never make them up for a real business. Fictional businesses, which
        a server may show for demonstration, are marked as demo.
      </p>
    ),
  },
  {
    id: 'errors',
    title: 'Report an error',
    body: (
      <>
        <p>
          Write to <SupportMail subject="A listing is wrong" /> with the page’s address, what’s wrong and where we can check the right
          information. A link to the state’s register is best.
        </p>
        <p>
          If it’s your business, <PageLink to="/resources">business resources</PageLink> explains how to claim its listing.
        </p>
      </>
    ),
  },
]

export function DataPage() {
  return (
    <PublicPage
      title="Where the data comes from"
      lead={`${brand.name} shows where its facts come from and how old they are. These are the sources, with our thanks.`}
      sections={sections}
    />
  )
}
