import { Link } from '@tanstack/react-router'
import { CircleCheck, Info, ShieldQuestion, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { utcDate } from '#contracts/age.ts'
import type { Business, License } from '#contracts/businesses.ts'
import { licenseDay } from '#contracts/time.ts'
import { brand } from '#web/lib/boot.ts'
import { stateName } from '#web/lib/state-names.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ageWarning, checkedBy, expiryText, longDate, registerSentence, standingSentence, verificationTitle } from './license-words.ts'

export function LicensePanel({ business }: { business: Business }) {
  const { isClaimed, isDemo, verification } = business
  const { status, licenseNumber, state } = verification
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
      {isDemo && <Note>A fictional business for trying out {brand.name}. It doesn’t exist, and none of its details are real.</Note>}
      {!isDemo && !isClaimed && (
        <Note>
          The business hasn’t edited this listing yet. The details come from the public register.{' '}
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

type VerifiedLicenseProps = {
  verification: Business['verification']
  license?: License | undefined
  isDemo?: boolean
}

export function VerifiedLicense({ verification, license, isDemo = false }: VerifiedLicenseProps) {
  const { status, licenseNumber, state, authority, checkedAt, expiresOn, reason } = verification
  const today = licenseDay(new Date(useNow()))
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
            <Fact name="Status">{license?.status}</Fact>
            <Fact name="Authority">{authority}</Fact>
            <Fact name="Checked">{checkedAt && <time dateTime={checkedAt}>{longDate(checkedAt.slice(0, 10))}</time>}</Fact>
            {isVerified && <Fact name="Expires">{expiryText(verification)}</Fact>}
          </Facts>
          <p className="mt-3 text-muted text-sm">
            {status === 'revoked' && reason ? `${reason} ` : ''}
            {isDemo ? 'Made up for the demo. This license isn’t in any register.' : checkedBy(verification)}{' '}
            {!isDemo && isVerified && verification.source && ageWarning(verification.sourceDate, today)}
          </p>
        </>
      )}
    </div>
  )
}
