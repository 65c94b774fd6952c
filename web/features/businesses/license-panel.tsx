// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { utcDate } from '../../../contracts/age.ts'
import type { Business, License } from '../../../contracts/businesses.ts'
import { brand } from '../../lib/boot.ts'
import { useNow } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { ageWarning, registerSentence, standingSentence } from './license-words.ts'
import { VerifiedLicense } from './verified-license.tsx'

/** What the register says, where it says it, and how old that is. */
export function LicensePanel({ business }: { business: Business }) {
  const { isClaimed, isDemo, verification } = business
  const { status, licenseNumber, state } = verification
  // One that holds is shown once, with what the register says of it.
  const verified = business.licenses.find((each) => status === 'verified' && each.licenseNumber === licenseNumber && each.state === state)
  const licenses = business.licenses.filter((each) => each !== verified)
  return (
    <div className="grid gap-4">
      {status !== 'none' && <VerifiedLicense verification={verification} license={verified} isDemo={isDemo} />}
      {licenses.length === 0 && status === 'none' && <p className="text-[0.9375rem] text-muted">{standingSentence.none}.</p>}
      <ul className={cx('grid gap-5 empty:hidden', status !== 'none' && 'border-line border-t pt-5')}>
        {licenses.map((license) => (
          <li key={license.id} className="not-first:border-line not-first:border-t not-first:pt-5">
            <LicenseEntry license={license} />
          </li>
        ))}
      </ul>
      {isDemo && <Note>A made-up business for trying out {brand.name}. It does not exist, and nothing about it is real.</Note>}
      {!isDemo && !isClaimed && (
        <Note>
          This listing comes from the public register. No one from the business has edited it.{' '}
          <Link to="/business/register" search={{ claim: business.slug }} className={textLink}>
            Is this your business?
          </Link>
        </Note>
      )}
    </div>
  )
}

function LicenseEntry({ license }: { license: License }) {
  const { licenseNumber, licenseType, status, designation, standing, authority, sourceDate } = license
  const warning = ageWarning(sourceDate, utcDate(new Date(useNow())))
  return (
    <>
      <p className={cx('mb-2.5 flex items-center gap-2 font-medium text-[0.9375rem]', standing !== 'listed' && 'text-clay')}>
        {standing === 'listed' ? (
          <CircleCheck aria-hidden="true" className="size-4.5 shrink-0 text-leaf" />
        ) : (
          <TriangleAlert aria-hidden="true" className="size-4.5 shrink-0" />
        )}
        {standingSentence[standing]}
      </p>
      <Facts>
        <Fact name="Number">{licenseNumber}</Fact>
        <Fact name="Type">{licenseType}</Fact>
        <Fact name="Use">{designation}</Fact>
        {/* In the authority's own words. */}
        <Fact name="Status">{status}</Fact>
        <Fact name="Authority">{authority}</Fact>
      </Facts>
      <p className="mt-3 text-muted text-sm">
        {registerSentence(license)} {warning}
      </p>
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2.5 rounded-input bg-sunk p-3 text-sm">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <span>{children}</span>
    </p>
  )
}
