export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Signing in as ${email}: ${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}

/** Creates a consumer's account and returns its session's cookie. */
export async function signUp(origin: string, name = `member.${Date.now()}`): Promise<string> {
  const email = `${name}@bench.example`
  const answer = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Robin',
      lastName: 'Vale',
      email,
      password: 'seven lanterns over rye',
      birthday: '1991-05-14',
      accountType: 'consumer',
    }),
  })
  if (!answer.ok) throw new Error(`Signing up: ${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] as string)
    // Drops the short-lived cookie that makes writers skip the cache: the measured person only reads.
    .filter((each) => !each.startsWith('written='))
    .join('; ')

/** The cursor of the next page, from the Link header; null at the end of the list. */
export const nextCursor = (answer: Response): string | null =>
  /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
