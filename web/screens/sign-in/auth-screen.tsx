import { Link } from '@tanstack/react-router'
import { lazy, type SubmitEvent, Suspense, useRef, useState } from 'react'
import { safeReturnTo } from '#contracts/addresses.ts'
import type { Boot } from '#contracts/boot.ts'
import { businessTypeLabels } from '#contracts/business-types.ts'
import { getCurrentUser, login } from '#contracts/calls/accounts.ts'
import { beginPasskeySignIn, signInWithPasskey } from '#contracts/calls/sign-in.ts'
import { menuPath, placesPath } from '#contracts/visitor-pages.ts'
import {
  authHeading,
  clearDeletionDate,
  deletionDate,
  invitedAddress,
  isForBusiness,
  isRegistering,
  isSearchPath,
  refusalAt,
  saveReturnTo,
} from '#web/entities/accounts/asked-for.ts'
import { canUsePasskeys, PasskeyButton } from '#web/entities/accounts/passkey-button.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { dropDraft, saveDraft, signInDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { boot, brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { dateFormat } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import type { SignInErrors, SignInValues } from './sign-in-rules.ts'

const loadSignUp = () => import('./sign-up-screen.tsx')
/** Prefetched only on intent, because it's large and sign-in doesn't need it. */
const prefetchSignUp = () => void loadSignUp().catch(() => undefined)
const SignUpForm = lazy(async () => ({ default: (await loadSignUp()).SignUpForm }))
// Loaded on demand, because few sites configure a provider.
const OpenIdButton = lazy(async () => ({ default: (await import('./openid-button.tsx')).OpenIdButton }))
const InvitationNote = lazy(() => import('./invitation-note.tsx'))
const OpenIdError = lazy(async () => ({ default: (await import('./openid-button.tsx')).OpenIdError }))
const CheckEmail = lazy(async () => ({ default: (await import('#web/entities/accounts/check-email.tsx')).CheckEmail }))

type AuthScreenProps = {
  returnTo?: string | undefined
  error?: string | undefined
  tab?: AuthTab | undefined
}

type AuthTab = 'sign-in' | 'sign-up'

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/**
 * At /auth, `returnTo` comes from the query. At any other address that requires sign-in, it's that address. After sign-in, the page at
 * `returnTo` loads.
 */
export default function AuthScreen({ returnTo: given, error, tab: wanted }: AuthScreenProps) {
  const returnTo = safeReturnTo(given) ?? '/'
  const [tab, setTab] = useState<AuthTab>(wanted ?? (isRegistering(returnTo) ? 'sign-up' : 'sign-in'))
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const [leavesAt] = useState(deletionDate)

  /** Loads the page from the server, because visitors have neither its code nor its data. */
  async function enter() {
    const user = await call(getCurrentUser, {})
    clearDeletionDate()
    await renewPushes(user.id)
    if (!user.hasCompletedOnboarding) saveReturnTo(returnTo)
    const { pathname, search, hash } = location
    if (returnTo === pathname + search + hash) location.reload()
    else location.replace(returnTo)
  }

  const refusal = refusalAt(returnTo)
  const invitation = /^\/invitations\/([\w-]+)/.exec(returnTo)?.[1]
  const invited = invitedAddress(returnTo)
  const accountType = isForBusiness(returnTo) ? 'business' : invitation ? 'consumer' : undefined
  const openId = boot.openIdName && (
    <Suspense>
      <OpenIdButton returnTo={returnTo} provider={boot.openIdName} />
    </Suspense>
  )

  if (unconfirmed) {
    return (
      <AuthFrame>
        <Suspense fallback={<LoadingScreen />}>
          <CheckEmail
            email={unconfirmed}
            returnTo={returnTo}
            onBack={() => {
              setTab('sign-in')
              setUnconfirmed(null)
            }}
          />
        </Suspense>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame>
      <AuthSheet title={authHeading(tab, returnTo, brand)}>
        {boot.askedFor && /^\/business\//.test(returnTo) && <AskedBusiness business={boot.askedFor} />}
        {leavesAt && (
          <p className="mb-5 rounded-input bg-sunk px-4 py-3 text-sm">
            <strong className="block font-semibold">Your account will be deleted on {day.format(leavesAt)}.</strong>
            You’re signed out everywhere. To keep your account, sign in before then and choose “Keep my account”. We’ve emailed you these
            details.
          </p>
        )}
        {isSearchPath(returnTo) && (
          <p className="mb-5 rounded-input bg-sunk px-4 py-3 text-sm">
            No account?{' '}
            <a href={placesPath()} className={textLink}>
              Find licensed shops by city
            </a>
            .
          </p>
        )}
        {refusal && (
          <p className="rounded-input bg-sunk px-4 py-3 text-sm">
            <strong className="block font-semibold">{refusal.title}</strong>
            {refusal.text}
          </p>
        )}
        {invitation && (
          <Suspense>
            <InvitationNote token={invitation} />
          </Suspense>
        )}
        {error && boot.openIdName && (
          <Suspense>
            <OpenIdError code={error} provider={boot.openIdName} />
          </Suspense>
        )}
        <Tabs value={tab} onValueChange={(value) => setTab(value as typeof tab)}>
          <TabList className="mb-1">
            <Tab value="sign-in">Sign In</Tab>
            <Tab value="sign-up" onPointerEnter={prefetchSignUp} onFocus={prefetchSignUp}>
              Sign Up
            </Tab>
          </TabList>
          <TabPanel value="sign-in">
            {openId}
            <SignInForm returnTo={returnTo} invited={invited} onSignedIn={enter} onConfirmEmail={setUnconfirmed} />
            <PasskeySignIn onSignedIn={enter} />
          </TabPanel>
          <TabPanel value="sign-up">
            {openId}
            <Suspense fallback={<LoadingScreen />}>
              <SignUpForm accountType={accountType} returnTo={returnTo} invited={invited} onConfirmEmail={setUnconfirmed} />
            </Suspense>
          </TabPanel>
        </Tabs>
      </AuthSheet>
    </AuthFrame>
  )
}

function AskedBusiness({ business }: { business: NonNullable<Boot['askedFor']> }) {
  const { name, slug, type, location, averageRating, totalRatings, openNow, timeZone, isClaimed, isDemo } = business
  return (
    <section aria-label="The business you’re looking for" className="mb-5 grid gap-1 rounded-input bg-sunk px-4 py-3 text-sm">
      <h2 className="text-lg wrap-anywhere">{name}</h2>
      <p className="text-muted">
        {businessTypeLabels[type]} · {location ?? 'Location not set'}
      </p>
      <Stars rating={averageRating} count={totalRatings} />
      {openNow && timeZone && (
        <p>
          <OpenLine location={{ openNow, timeZone }} />
        </p>
      )}
      <a href={menuPath(slug)} className={`${textLink} touch-target mt-1 justify-self-start`}>
        {isClaimed || isDemo ? 'See its public menu' : 'See its public page'}
      </a>
    </section>
  )
}

/**
 * If another device ended this browser's session, that also ended its pushes. Reads a key that
 * web/screens/notifications/preferences-screen.tsx writes.
 */
async function renewPushes(account: string): Promise<void> {
  try {
    if (localStorage.getItem('push-account') !== account) return
    await (await import('#web/screens/notifications/preferences-screen.tsx')).renewPushes(account)
  } catch {
    // Notification settings renew them, too.
  }
}

/** Renders nothing in unsupported browsers. */
function PasskeySignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  if (!canUsePasskeys()) return null
  async function signIn() {
    const { askForPasskey } = await import('#web/lib/passkeys.ts')
    const answer = await askForPasskey(await call(beginPasskeySignIn, {}))
    await call(signInWithPasskey, { body: { answer } })
    await onSignedIn()
  }
  return (
    <PasskeyButton size="lg" onPress={signIn} className="mt-3">
      Continue with a passkey
    </PasskeyButton>
  )
}

type SignInFormProps = {
  returnTo: string
  invited: string
  onSignedIn(): Promise<void>
  onConfirmEmail(email: string): void
}

const loadRules = () => import('./sign-in-rules.ts')
const prefetchRules = () => void loadRules().catch(() => undefined)

/** Validates against the contract. If the code can't load (offline), only the server validates. */
async function errorsOf(values: SignInValues): Promise<SignInErrors> {
  const rules = await loadRules().catch(() => null)
  return rules?.signInErrors(values) ?? {}
}

const valuesOf = (form: HTMLFormElement): SignInValues => {
  const data = new FormData(form)
  return { email: String(data.get('email')), password: String(data.get('password')) }
}

/** Uses uncontrolled fields, because the form library would add to the code that visitors load. */
function SignInForm({ returnTo, invited, onSignedIn, onConfirmEmail }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [{ email }] = useState(() => withDraft(signInDraft, { email: invited }))
  const [errors, setErrors] = useState<SignInErrors>({})
  const [isSubmitting, setSubmitting] = useState(false)
  const wasSent = useRef(false)

  function focusOn(name: keyof SignInValues) {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.select()
  }

  const failure = useRef<ReturnType<typeof toast> | null>(null)

  async function typed(name: keyof SignInValues) {
    if (!form.current) return
    if (name === 'email') saveDraft(signInDraft, { email: valuesOf(form.current).email })
    if (!wasSent.current) return
    const found = await errorsOf(valuesOf(form.current))
    setErrors((before) => ({ ...before, [name]: found[name] }))
  }

  async function send(values: SignInValues) {
    const found = await errorsOf(values)
    setErrors(found)
    if (found.email || found.password) return focusOn(found.email ? 'email' : 'password')
    try {
      await call(login, { body: values })
      dropDraft(signInDraft)
      failure.current?.dismiss()
      await onSignedIn()
    } catch (error) {
      const refused: SignInErrors = fieldErrors(error)
      setErrors(refused)
      focusOn(refused.email ? 'email' : 'password')
      failure.current = toast({ title: 'Login failed', description: messageOf(error), variant: 'destructive' })
      if (error instanceof ApiError && error.code === 'email_unverified') onConfirmEmail(values.email)
    }
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting) return
    wasSent.current = true
    setSubmitting(true)
    await send(valuesOf(event.currentTarget))
    setSubmitting(false)
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onFocus={prefetchRules} aria-label={`Sign in to ${brand.name}`} className="grid gap-4">
      <Field label="Email" error={errors.email}>
        <Input
          type="email"
          name="email"
          defaultValue={email}
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => void typed('email')}
        />
      </Field>
      <Field label="Password" error={errors.password}>
        <PasswordInput name="password" autoComplete="current-password" onChange={() => void typed('password')} />
      </Field>
      <Link
        to="/auth/forgot"
        search={returnTo === '/' ? {} : { returnTo }}
        className={`${textLink} touch-target justify-self-start text-sm`}
      >
        Forgot password?
      </Link>
      <Button type="submit" size="lg" pending={isSubmitting} pendingText="Signing in..." className="mt-2">
        Sign In
      </Button>
    </form>
  )
}
