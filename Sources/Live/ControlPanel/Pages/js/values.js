// What people type and read: bytes as hexadecimal digits, text, or numbers.

/** Bytes of what was typed, as hexadecimal digits; throws a sentence. */
export function bytesOf(text, form) {
  switch (form) {
    case "hex": {
      const digits = text.replace(/[\s:,-]|0x/gi, "");
      if (!/^([0-9a-f]{2})+$/i.test(digits)) throw new Error("Hexadecimal digits come in pairs, such as 01 or 0A FF.");
      return digits.toLowerCase();
    }
    case "text": return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    default: {
      const [, kind, width] = form.match(/^([ui])(\d+)$/);
      const number = Number(text);
      const bits = Number(width);
      const [least, greatest] = kind === "u" ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
      if (text.trim() === "" || !Number.isInteger(number) || number < least || number > greatest) {
        throw new Error(`A whole number from ${least} to ${greatest}, please.`);
      }
      let rest = number < 0 ? number + 2 ** bits : number;
      let digits = "";
      for (let n = 0; n < bits / 8; n += 1) {
        digits += (rest % 256).toString(16).padStart(2, "0");
        rest = Math.floor(rest / 256);
      }
      return digits;
    }
  }
}

export const forms = [["hex", "Hex"], ["text", "Text"], ["u8", "0 … 255"], ["i8", "−128 … 127"], ["u16", "16 bits"], ["u32", "32 bits"]];
