// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { CircleCheck, ShieldQuestion, TriangleAlert } from 'lucide-react'
import { utcDate } from '../../../contracts/age.ts'
import type { Business, License } from '../../../contracts/businesses.ts'
import { useNow } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { ageWarning, checkedBy, expiryText, longDate, verificationTitle } from './license-words.ts'
import { stateName } from './state-names.ts'

type VerifiedLicenseProps = {
  verification: Business['verification']
  /** What the register has for it. */
  license?: License | undefined
  /** Made up for the demo: no one checked anything. */
  isDemo?: boolean
}

/** What a business had verified here: which license, how and when, and when it expires. */
export function VerifiedLicense({ verification, license, isDemo = false }: VerifiedLicenseProps) {
  const { status, licenseNumber, state, authority, checkedAt, expiresOn, reason } = verification
  const today = utcDate(new Date(useNow()))
  const isVerified = status === 'verified'
  const Icon = isVerified ? CircleCheck : status === 'none' ? ShieldQuestion : TriangleAlert
  return (
    <div>
      <p
        className={cx(
          'flex items-center gap-2 font-medium text-[0.9375rem]',
          (status === 'expired' || status === 'revoked') && 'text-clay',
        )}
      >
        <Icon aria-hidden="true" className={cx('size-4.5 shrink-0', isVerified && 'text-leaf', status === 'none' && 'text-muted')} />
        {verificationTitle({ status, expiresOn })}
      </p>
      {status !== 'none' && (
        <>
          <Facts className="mt-2.5">
            <Fact name="Number">{licenseNumber}</Fact>
            <Fact name="State">{state && stateName(state)}</Fact>
            <Fact name="Type">{license?.licenseType}</Fact>
            <Fact name="Use">{license?.designation}</Fact>
            {/* In the authority's own words. */}
            <Fact name="Status">{license?.status}</Fact>
            <Fact name="Authority">{authority}</Fact>
            <Fact name="Checked">{checkedAt && <time dateTime={checkedAt}>{longDate(checkedAt.slice(0, 10))}</time>}</Fact>
            {isVerified && <Fact name="Expires">{expiryText(verification)}</Fact>}
          </Facts>
          <p className="mt-3 text-muted text-sm">
            {status === 'revoked' && reason ? `${reason} ` : ''}
            {isDemo ? 'Made up for the demo. No register has this license.' : checkedBy(verification)}{' '}
            {!isDemo && isVerified && verification.source && ageWarning(verification.sourceDate, today)}
          </p>
        </>
      )}
    </div>
  )
}
