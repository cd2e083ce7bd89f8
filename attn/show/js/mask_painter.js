export function render() { throw new Error("not drawn here"); }
