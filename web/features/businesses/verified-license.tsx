import { CircleCheck, ShieldQuestion, TriangleAlert } from 'lucide-react'
import { utcDate } from '../../../contracts/age.ts'
import type { Business, License } from '../../../contracts/businesses.ts'
import { cx } from '../../ui/cx.ts'
import { Day } from './day.tsx'
import { ageWarning, checkedBy, expiryText, verificationTitle } from './license-words.ts'
import { stateName } from './state-names.ts'

/** What a business had verified here: which license, by whom and when, and until when it holds. */
type VerifiedLicenseProps = {
  verification: Business['verification']
  /** What the register has for it. */
  license?: License | undefined
}

export function VerifiedLicense({ verification, license }: VerifiedLicenseProps) {
  const { status, licenseNumber, state, authority, checkedAt, expiresOn, reason } = verification
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
          <dl className="mt-2.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
            <Fact name="Number">{licenseNumber}</Fact>
            <Fact name="State">{state && stateName(state)}</Fact>
            <Fact name="Type">{license?.licenseType ?? null}</Fact>
            <Fact name="Use">{license?.designation ?? null}</Fact>
            {/* In the authority's own words. */}
            <Fact name="Status">{license?.status ?? null}</Fact>
            <Fact name="Authority">{authority}</Fact>
            <Fact name="Checked">{checkedAt && <Day at={checkedAt} />}</Fact>
            {isVerified && <Fact name="Expires">{expiryText(verification)}</Fact>}
          </dl>
          <p className="mt-3 text-muted text-sm">
            {status === 'revoked' && reason ? `${reason} ` : ''}
            {checkedBy(verification)} {isVerified && verification.source && ageWarning(verification.sourceDate, utcDate(new Date()))}
          </p>
        </>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  if (children === null || children === '') return null
  return (
    <div className="contents">
      <dt className="font-normal! text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
