/** The error for `new` where a class is built in one go. */
export function useFrom(name: string): TypeError {
  return new TypeError(`A ${name} is built of all its keys at once. Use ${name}.from(…).`);
}
