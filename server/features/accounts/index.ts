import type { FastifyRequest } from 'fastify'
import * as contract from '#contracts/accounts.endpoints.ts'
import * as signIn from '#contracts/sign-in.endpoints.ts'
import { listPasskeysOfReset } from '#contracts/sign-in.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import type { Auth, ProgramAccess } from './auth.ts'
import { register } from './create-account.ts'
import { rememberDevice } from './limits.ts'
import { requestMail, verifyEmail } from './one-use-secrets.ts'
import { passkeysOfReset, resetPassword } from './passwords.ts'
import { confirmAge, savePersonalProfile, savePreferences, savePrivacy, updateProfile } from './profile.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  verifySecondFactor,
} from './second-factor.ts'
import { addNavigations, addSignIn } from './sign-in.routes.ts'
import { login } from './sign-in.ts'

export { accountJobs, accountSchedules } from './accounts.jobs.ts'
export { insertAccount, storeIssuers } from './accounts.queries.ts'
export { accountStatusOf } from './accounts.view.ts'
export { type Auth, createAuth, hashPassword, type ProgramAccess } from './auth.ts'
export { createAdmin, type NewAdmin, promoteToAdmin } from './create-account.ts'
export { createPersonKeyReader } from './person-keys.ts'
export { changeRole, completeOnboardingAsBusiness, provideBirthday, signOutEverywhere } from './profile.ts'
export { findSignInMethods, requireProof, signalSessionsEnded } from './proof.ts'
export { resetSecondFactor } from './second-factor.ts'
export { createSessionReader } from './sessions.ts'
export { accountNavigations } from './sign-in.routes.ts'

const browserOf = ({ ip, headers }: FastifyRequest) => ({ ip, cookie: headers.cookie, userAgent: headers['user-agent'] })

export function registerAccounts(api: Api, auth: Auth, programs: readonly ProgramAccess[]): void {
  route(api, contract.getCurrentUser, async ({ session }) => session.user)

  route(api, contract.register, async ({ ctx, body, request, reply }) => {
    const { confirmEmail, cookies } = await register(ctx, auth, body, browserOf(request))
    for (const cookie of cookies) reply.header('set-cookie', cookie)
    return { accountType: body.accountType, confirmEmail }
  })

  route(api, contract.login, async ({ ctx, body, request, reply }) => {
    const previous = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const { cookies, ...answer } = await login(ctx, auth, body, { previous, ...browserOf(request) })
    for (const cookie of cookies) reply.header('set-cookie', cookie)
    return answer
  })

  route(api, contract.requestPasswordReset, ({ ctx, body, request }) =>
    requestMail(ctx, 'accounts.mail-reset-link', body, browserOf(request)),
  )

  route(api, contract.resetPassword, async ({ ctx, body, request, reply }) => {
    const { email } = await resetPassword(ctx, auth, body)
    // Other people's failed attempts may have used up this address's limit; the cookie lets the owner sign in from this browser.
    reply.header('set-cookie', rememberDevice(ctx, request.headers.cookie, email))
  })

  route(api, listPasskeysOfReset, ({ ctx, body }) => passkeysOfReset(ctx, body.token))

  route(api, contract.requestEmailVerification, ({ ctx, body, request }) =>
    requestMail(ctx, 'accounts.mail-verification-link', body, browserOf(request)),
  )

  route(api, contract.verifyEmail, ({ ctx, body }) => verifyEmail(ctx, body.token))

  route(api, contract.savePersonalProfile, ({ ctx, session, body }) => savePersonalProfile(ctx, session, body))

  route(api, contract.confirmAge, ({ ctx, session }) => confirmAge(ctx, session))

  route(api, contract.savePreferences, ({ ctx, session, body }) => savePreferences(ctx, session, body))

  addSettings(api)
  addSecondFactor(api, auth)
  addSignIn(api, auth, programs)
  addNavigations(api, auth)
}

function addSettings(api: Api): void {
  route(api, contract.updateProfile, ({ ctx, session, body }) => updateProfile(ctx, session, body))

  route(api, contract.savePrivacy, ({ ctx, session, body }) => savePrivacy(ctx, session, body))
}

function addSecondFactor(api: Api, auth: Auth): void {
  route(api, signIn.getSecondFactor, ({ ctx, session }) => getSecondFactor(ctx, session))

  route(api, signIn.beginSecondFactor, ({ ctx, actor, body }) => beginSecondFactor(ctx, auth, actor, body.password))

  route(api, signIn.confirmSecondFactor, async ({ ctx, actor, body, reply }) => {
    // Codes that are shown only once must not be cached.
    reply.header('cache-control', 'no-store')
    return { recoveryCodes: await confirmSecondFactor(ctx, actor, body.code) }
  })

  route(api, signIn.passSecondFactor, ({ ctx, actor, body }) => verifySecondFactor(ctx, actor, body.code))

  route(api, signIn.renewRecoveryCodes, async ({ ctx, actor, body, reply }) => {
    reply.header('cache-control', 'no-store')
    return { recoveryCodes: await renewRecoveryCodes(ctx, actor, body.code) }
  })

  route(api, signIn.turnOffSecondFactor, ({ ctx, actor, body }) => turnOffSecondFactor(ctx, auth, actor, body))
}
