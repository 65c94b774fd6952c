/** An outsider's requests to the guide. */
export const guideBodies: Record<string, () => object> = {
  'POST /api/ai/onboarding': () => ({ type: 'recommendations' }),
  'PATCH /api/ai/progress': () => ({ completed: [], current: null, isDismissed: false, usesModel: false }),
  'POST /api/ai/questions': () => ({ question: 'Which farms are in Denver?' }),
}
