export const maxQuestionLength = 300
