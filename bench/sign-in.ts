/** Signs in with a password and answers the cookies of a reader. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`Signing in as ${email}: ${answer.status} ${await answer.text()}`)
  return (
    answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0] as string)
      // The cookie that makes a writer skip the cache is gone after seconds; the measured reader has none.
      .filter((each) => !each.startsWith('fresh='))
      .join('; ')
  )
}

/** What follows a page of a list, by the Link header; null at its end. */
export const nextCursor = (answer: Response): string | null =>
  /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
